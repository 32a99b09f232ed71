import { parseUrl } from './parse-url.ts';

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether nobody on the way can read or change what is sent to an address: https, or http to this machine. */
export function isSecureAddress(address: string): boolean {
  const url = parseUrl(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
}
