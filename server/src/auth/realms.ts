import type { JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { Database } from '../platform/db/database.ts';
import { type OpenedKeys, realmKeys, type SigningKey, tokenLifetimeSeconds } from './keys.ts';

/** What authorization needs to know of a provider. */
export type Realm = {
  provider: string;
  disabled: boolean;
  keys: SigningKey[];
  /** Changes with the keys; a server built for another version is stale. */
  version: string;
  /** Disabled clients whose tokens may not have expired yet. */
  disabledClients: Set<string>;
  /** The least versions of tokens, by subject, while older ones may not have expired yet. */
  revocations: Map<string, number>;
};

export type Realms = {
  /** From the cache, at most a second old; undefined when it is not cached. */
  cached(provider: string): Realm | undefined;
  /** From the cache or the database; undefined for an unknown provider. */
  find(provider: string): Promise<Realm | undefined>;
  /** From the database. */
  refresh(provider: string): Promise<Realm | undefined>;
};

// Why a second: docs/decisions/0005-realms.md.
const cacheTtlMs = 1_000;
export const maxCachedRealms = 10_000;
// Spares queries for what paths and unverified tokens name otherwise.
const providerPattern = /^[A-Z]{2}-[A-Z0-9]{3}$/;

export function createRealms(db: Database): Realms {
  const cache = new LRUCache<string, Realm>({
    ...atMost(maxCachedRealms),
    // The library expires an entry only when its age exceeds the TTL.
    ttl: cacheTtlMs - 1,
    ttlResolution: 0,
    perf: { now: () => Date.now() },
  });

  const opened = new LRUCache<string, SigningKey>(atMost(maxCachedRealms));

  async function refresh(provider: string): Promise<Realm | undefined> {
    const realm = providerPattern.test(provider)
      ? await loadRealm(db, provider, opened)
      : undefined;
    // Undefined for a deleted provider, which deletes the entry.
    cache.set(provider, realm);
    return realm;
  }

  return {
    cached: (provider) => cache.get(provider),
    refresh,
    find: async (provider) => cache.get(provider) ?? refresh(provider),
  };
}

async function loadRealm(
  db: Database,
  provider: string,
  opened: OpenedKeys,
): Promise<Realm | undefined> {
  const [row] = await db.query<{
    disabled: boolean;
    disabled_clients: string[];
    revocations: Record<string, number>;
  }>(
    `select disabled_at is not null as disabled,
            array(select c.id from clients c where c.provider = p.id
                  and c.disabled_at > now() - make_interval(secs => $2)) as disabled_clients,
            (select coalesce(json_object_agg(r.subject, r.version), '{}') from token_revocations r
             where r.provider = p.id and r.revoked_at > now() - make_interval(secs => $2)) as revocations
     from providers p where id = $1`,
    [provider, tokenLifetimeSeconds + 60],
  );
  if (!row) return undefined;
  const keys = await realmKeys(db, provider, opened);
  return {
    provider,
    disabled: row.disabled,
    keys,
    version: keys.map((key) => key.kid).join(' '),
    disabledClients: new Set(row.disabled_clients),
    revocations: new Map(Object.entries(row.revocations)),
  };
}

/** The id of the key that signs the realm's tokens. */
export function signingKeyOf({ keys }: Realm): string | undefined {
  return keys[0]?.kid;
}

export function publicPart({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use };
}
