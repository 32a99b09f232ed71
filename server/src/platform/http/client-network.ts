import { isIP } from 'node:net';

/**
 * What counts as one sender: an IPv4 address, also one that is mapped into IPv6, or the first 64 bits of an IPv6 address,
 * which are the smallest network that one subscriber gets.
 */
export function clientNetwork(address: string): string {
  const [plain = ''] = address.split('%', 1);
  switch (isIP(plain)) {
    case 4:
      return plain;
    case 6:
      return networkOf(groupsOf(plain));
    default:
      // A proxy may forward anything; what is no address is one sender.
      return 'unknown';
  }
}

/**
 * What counts as one sender where a few could keep out all others: of an IPv6 network the first 48 bits, as one subscriber may
 * have 65,536 networks.
 */
export function siteOf(network: string): string {
  return network.split(':', 3).join(':');
}

function networkOf(groups: number[]): string {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The parser of URLs writes an IPv4 part in hexadecimal, and the longest run of zeros as "::".
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((one) => parseInt(one, 16));
  const [first, last] = [parse(head), parse(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
