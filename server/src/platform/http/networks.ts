import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';
import { foreignNetwork } from './problem.ts';

/** Whether a text is an address or a network such as 10.0.0.0/8 or 2001:db8::/32. */
export function isNetwork(text: string): boolean {
  // No more parts than tell that there are too many.
  const [address = '', prefix, ...rest] = text.split('/', 3);
  const version = isIP(address);
  // Which of the links of this machine an address is of, as after a %, no membership test regards.
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** A list of valid networks, for membership tests. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/** The networks of a list, as they are written. */
export function networksOf({ rules }: BlockList): string[] {
  return rules.map((rule) => rule.replace(/^.* /, ''));
}

export function isInNetworks(networks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, familyOf(address));
}

const maxSharedNetworks = 50_000;

/** One list for all tokens with the same networks: it takes far more memory than their text. */
const sharedLists = new LRUCache<string, BlockList>({
  maxSize: maxSharedNetworks,
  sizeCalculation: (_, networks) => networks.split(',').length,
});

function sharedList(networks: string): BlockList {
  const shared = sharedLists.get(networks);
  if (shared) return shared;
  const list = networkList(networks.split(',').filter(isNetwork));
  sharedLists.set(networks, list);
  return list;
}

/** Refuses a token that is used from another network than it is bound to. */
export function requireOwnNetwork(
  { networks }: Pick<Principal, 'networks'>,
  address: string,
): void {
  if (networks !== undefined && !isInNetworks(sharedList(networks), address))
    throw foreignNetwork();
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
