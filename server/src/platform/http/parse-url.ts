/** More than any name of DNS, with its port and a user. */
const maxAuthorityLength = 300;
// As the parser leaves out tabs and line breaks, and reads a backslash as a slash.
const authority = /^[^:]*:[/\\\t\r\n]*([^/\\?#]*)/;
const ascii = /^[\x20-\x7e]*$/;

/**
 * A URL from outside, absolute: the time that the parser takes for a host in other letters than those of ASCII, or in their codes, grows
 * with the square of its length. Such hosts are written as DNS has them (`xn--mnchen-3ya.de`).
 */
export function parseUrl(text: string): URL | null {
  const [, host = ''] = authority.exec(text) ?? [];
  if (host.length > maxAuthorityLength || !ascii.test(host) || host.includes('%')) return null;
  return URL.parse(text);
}
