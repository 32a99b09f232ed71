/** More than any name of DNS, with its port and a user. */
const maxAuthorityLength = 300;
/** Of one with other letters than those of ASCII, or with codes of them. */
const maxCodedLength = 100;
// As the parser leaves out tabs and line breaks, and reads a backslash as a slash.
const authority = /^[^:]*:[/\\\t\r\n]*([^/\\?#]*)/;
const plain = /^[\x20-\x24\x26-\x7e]*$/;

/**
 * A URL from outside, absolute; null with a host that is longer than any is: the time that the parser takes for letters that are not of
 * ASCII grows with the square of their number.
 */
export function parseUrl(text: string): URL | null {
  const [, host = ''] = authority.exec(text) ?? [];
  const maxLength = plain.test(host) ? maxAuthorityLength : maxCodedLength;
  return host.length > maxLength ? null : URL.parse(text);
}
