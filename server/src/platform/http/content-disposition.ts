// Control characters, and those that turn the direction of what follows to feign another ending.
const misleading = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Says that a body is a file to be saved under a name, whatever that name is (RFC 6266, RFC 8187). */
export function attachment(filename: string): string {
  const safe = filename.toWellFormed().replaceAll(misleading, '').replaceAll(/[/\\]/g, '_') || '_';
  const ascii = safe.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encode(safe)}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
