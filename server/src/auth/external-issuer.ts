import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { TokenIssuer } from './bearer.ts';
import { maxCachedRealms } from './realms.ts';
import { createRemoteKeys, type RemoteKeys } from './remote-keys.ts';

const placeholder = '{realm}';

export type ExternalIssuerOptions = {
  /** The issuer of a realm, with a placeholder for its name. */
  template: string;
  audiences: readonly string[];
  onError(error: unknown): void;
};

/** Tokens of an external authorization server, such as a Keycloak with the same realms. */
export function externalIssuer({
  template,
  audiences,
  onError,
}: ExternalIssuerOptions): TokenIssuer {
  const keySets = new LRUCache<string, RemoteKeys>(atMost(maxCachedRealms));
  const [before = '', after = ''] = template.split(placeholder);
  const issuerOf = (provider: string) => template.replace(placeholder, provider);
  function remoteKeys(provider: string): RemoteKeys {
    let keys = keySets.get(provider);
    if (!keys) {
      keys = createRemoteKeys(issuerOf(provider), onError);
      keySets.set(provider, keys);
    }
    return keys;
  }
  return {
    issuerOf,
    audiences,
    hasServiceAccounts: true,
    realmOf(issuer) {
      if (!issuer.startsWith(before) || !issuer.endsWith(after)) return undefined;
      return issuer.slice(before.length, issuer.length - after.length);
    },
    keysOf: ({ provider }) => remoteKeys(provider).current(),
    loadKeys: ({ provider }, keyId) => remoteKeys(provider).load(keyId),
  };
}
