import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { type BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { isInNetworks, networkList } from '../http/networks.ts';

/** Networks that are not part of the public internet, or lead to others (IANA special-purpose registries). */
const notPublic4 = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
const notPublic6 = networkList([
  // Of IPv6 only 2000::/3 is assigned to the public internet.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** Refuses to send anything to an address inside of the operator's network. Of a name it does not tell whether there is such a one. */
export class UnreachableAddress extends Error {
  constructor(host: string) {
    super(`${host} ${isIP(host) === 0 ? 'has no' : 'is not an'} address that may be reached`);
  }
}

/** Whether something may be sent to an address: a public one, or one of the networks that the operator allows. */
export function isReachable(address: string, allowed: BlockList): boolean {
  // The same address, as IPv6 writes it.
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address;
  const notPublic = isIPv4(mapped) ? notPublic4 : notPublic6;
  return isInNetworks(allowed, mapped) || !isInNetworks(notPublic, mapped);
}

/** The address of a URL that has one in the place of a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}

const unknownName = new Set(['ENOTFOUND', 'ENODATA']);

// Together less than a delivery may take.
const resolverOptions = { timeout: 2_000, tries: 2 };

/** Of the addresses of a name, of each family: how many are looked at, and to how many a connection is tried. */
const maxFound = 32;
const maxTried = 4;
/** What a lookup counts as, and each address of its answer, all of which are parsed before any is looked at. */
const msOfLookup = 0.5;
const msOfAddress = 0.02;

/** Runs a lookup when its time has come. It says how many milliseconds of work it was. */
export type RunLookup = <Result>(
  work: (charge: (milliseconds: number) => void) => Promise<Result>,
) => Promise<Result>;

type LookupOptions = {
  resolver?: Resolver;
  /** Of whoever waits for it. */
  signal?: AbortSignal | undefined;
  runLookup?: RunLookup | undefined;
};

/** Resolves a name when connecting, to addresses that may be reached: what it resolved to before does not count. */
export function reachableLookup(
  mayReach: (address: string) => boolean,
  {
    resolver = new Resolver(resolverOptions),
    signal,
    runLookup = (work) => work(() => {}),
  }: LookupOptions = {},
): LookupFunction {
  return (hostname, options, callback) => {
    const resolve = (charge: (milliseconds: number) => void) => {
      signal?.throwIfAborted();
      return addressesOf(hostname, resolver, charge);
    };
    runLookup(async (charge) => resolve(charge)).then(
      (found) => {
        const mayTry = ({ address }: LookupAddress) => mayReach(address);
        const reachable = found.flatMap((family) => family.filter(mayTry).slice(0, maxTried));
        const [first] = reachable;
        if (!first) return callback(new UnreachableAddress(hostname), '', 0);
        if (options.all) return callback(null, reachable);
        return callback(null, first.address, first.family);
      },
      (error) =>
        callback(unknownName.has(error.code) ? new UnreachableAddress(hostname) : error, '', 0),
    );
  };
}

/**
 * Not by the lookup of the system, which has few threads: names whose servers do not answer would hold up all others.
 * It is asked for names without a dot alone, which are of the operator.
 */
async function addressesOf(
  hostname: string,
  resolver: Resolver,
  charge: (milliseconds: number) => void,
): Promise<LookupAddress[][]> {
  if (!hostname.includes('.')) return [await lookup(hostname, { all: true })];
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const count = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : [])).length;
  charge(msOfLookup + count * msOfAddress);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const found = (answer: typeof four, family: number) =>
    answer.status === 'fulfilled'
      ? answer.value.slice(0, maxFound).map((address) => ({ address, family }))
      : [];
  return [found(four, 4), found(six, 6)];
}
