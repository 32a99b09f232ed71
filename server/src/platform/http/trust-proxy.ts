import type { IncomingHttpHeaders } from 'node:http';
import { isNetwork } from './networks.ts';

/** Which proxies may say in X-Forwarded-For who is calling: none, the nearest ones by number, or those of some networks. */
export type TrustProxy = false | number | readonly string[];

const maxHops = 10;

export function parseTrustProxy(text: string): TrustProxy {
  if (text === 'false') return false;
  if (text === 'true') {
    throw new Error(
      'must not be true, which would believe whatever a client writes into X-Forwarded-For: set the number of proxies in front, such as 1, or their networks, such as 10.0.0.0/8.',
    );
  }
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= maxHops) return Number(text);
  const networks = text.split(',').map((part) => part.trim());
  if (networks.every(isTrustable)) return networks;
  throw new Error(
    `must be false, the number of proxies in front (1 to ${maxHops}), or their addresses and networks, such as 10.0.0.0/8,fd00::/8, not "${text}".`,
  );
}

/** Fastify ignores a plain number, as it cannot tell whether the peer is a proxy; whoever sets one says that it is. */
export function trustProxyOption(
  trust: TrustProxy,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return trust && [...trust];
}

/** Some proxies write the port of the client, too: `192.0.2.7:49152`, `[2001:db8::7]:49152`. */
export function dropForwardedPorts(headers: IncomingHttpHeaders): void {
  const forwardedFor = headers['x-forwarded-for'];
  if (typeof forwardedFor !== 'string') return;
  headers['x-forwarded-for'] = forwardedFor
    .split(',')
    .map((address) => withPort.exec(address.trim())?.slice(1).join('') ?? address)
    .join(',');
}

const withPort = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** A network of every address would be as bad as true. */
function isTrustable(text: string): boolean {
  return isNetwork(text) && !text.endsWith('/0');
}
