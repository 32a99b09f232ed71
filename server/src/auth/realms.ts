import type { JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { Database, Queryable } from '../platform/db/database.ts';
import { currentKeys, type KeyRow, type OpenedKeys, openKey, type SigningKey } from './keys.ts';
import { revokedTokenSeconds } from './revoked-tokens.ts';

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
  /** In seconds: older tokens count as revoked, of whomever, as there are too many revocations to remember each. */
  refusedBefore: number;
  /** The grants, and tokens without one, that were revoked while their tokens may not have expired yet. */
  revokedTokens: Set<string>;
};

export type Realms = {
  /** From the cache, less than a second old; undefined when it is not cached. */
  cached(provider: string): Realm | undefined;
  /** From the cache or the database; undefined for an unknown provider. */
  find(provider: string): Promise<Realm | undefined>;
  /** From the database: whether it has such a key, of which another process may know already. */
  hasKey(provider: string, keyId: string): Promise<boolean>;
  /** From the database. */
  refresh(provider: string): Promise<Realm | undefined>;
};

// Why: docs/decisions/0005-realms.md.
const cacheTtlMs = 700;
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

  // Whoever makes up names waits in a queue of their own: anybody can, and those that there are must not wait for it.
  const known = new LRUCache<string, true>(atMost(maxCachedRealms));
  const strangers = db.forTenant('unknown realms', 'internal');

  const realms = shared(async (provider) => {
    if (!providerPattern.test(provider)) return undefined;
    const realm = await loadRealm(known.has(provider) ? db : strangers, provider, opened);
    if (realm) known.set(provider, true);
    // Undefined for a deleted provider, which deletes the entry.
    cache.set(provider, realm);
    return realm;
  });
  const keyIds = shared(async (provider) => {
    const rows = await db.query<{ kid: string }>(`select kid from ${currentKeys}`, [provider]);
    return new Set(rows.map(({ kid }) => kid));
  });

  return {
    cached: (provider) => cache.get(provider),
    find: async (provider) => cache.get(provider) ?? realms.load(provider),
    hasKey: async (provider, keyId) => (await keyIds.loadAnew(provider)).has(keyId),
    refresh: realms.loadAnew,
  };
}

/** Loads once for all who wait: anybody can cause it, with a token that names any key. */
function shared<Loaded>(loadOne: (provider: string) => Promise<Loaded>) {
  const loading = new Map<string, Promise<Loaded>>();
  const load = (provider: string): Promise<Loaded> => {
    const running =
      loading.get(provider) ?? loadOne(provider).finally(() => loading.delete(provider));
    loading.set(provider, running);
    return running;
  };
  return {
    load,
    async loadAnew(provider: string): Promise<Loaded> {
      // What is being loaded may be older than what the caller has seen.
      await loading.get(provider)?.catch(() => {});
      return load(provider);
    },
  };
}

/** From the database; undefined for an unknown provider. */
export async function loadRealm(
  db: Queryable,
  provider: string,
  opened: OpenedKeys = new Map(),
): Promise<Realm | undefined> {
  const rows = await db.query<RealmRow>(selectRealm, [
    provider,
    revokedTokenSeconds,
    maxRevocations,
  ]);
  const found = Map.groupBy(rows, ({ kind }) => kind);
  const idsOf = (kind: RealmRow['kind']) => (found.get(kind) ?? []).map(({ id }) => id);
  const [row] = found.get('provider') ?? [];
  if (!row) return undefined;
  const [surplus] = found.get('surplus') ?? [];
  // The one that signs, which is not retired, first.
  const keys = (found.get('key') ?? [])
    .sort((one, other) => Number(other.value ?? Infinity) - Number(one.value ?? Infinity) || 0)
    .map(({ id, ...key }) => openKey(db, provider, { kid: id, ...key }, opened));
  return {
    provider,
    disabled: row.value !== null,
    keys,
    version: keys.map((key) => key.kid).join(' '),
    disabledClients: new Set(idsOf('client')),
    revocations: new Map(found.get('subject')?.map(({ id, value }) => [id, Number(value)])),
    refusedBefore: surplus ? Number(surplus.value) + commitSeconds : 0,
    revokedTokens: new Set(idsOf('token')),
  };
}

type RealmRow = Omit<KeyRow, 'kid'> & {
  kind: 'provider' | 'key' | 'subject' | 'surplus' | 'client' | 'token';
  id: string;
  /** Of a provider when it was disabled, of a key when it was retired, of a subject the least version of its tokens, of surplus revocations when the last of them began. */
  value: number | null;
};

/** An administrator can revoke the tokens of any number of users, which would be loaded each second. */
const maxRevocations = 2_000;
/** Tokens are issued until a revocation that has begun is committed. */
const commitSeconds = 20;

// In one statement, as it is executed every second for each provider that is served. As rows: an administrator can make
// them many, and one large value would be parsed in one turn of the event loop.
const selectRealm = `
  select 'provider' as kind, id, extract(epoch from disabled_at)::float8 as value,
    null::jsonb as private_jwk, null::text as sealed_jwk
  from providers where id = $1
  union all
  select 'key', kid, extract(epoch from retired_at)::float8, private_jwk, sealed_jwk from ${currentKeys}
  union all
  (select 'subject', subject, version::float8, null, null from token_revocations
   where provider = $1 and revoked_at > now() - make_interval(secs => $2)
   order by revoked_at desc limit $3)
  union all
  (select 'surplus', '', extract(epoch from revoked_at)::float8, null, null from token_revocations
   where provider = $1 and revoked_at > now() - make_interval(secs => $2)
   order by revoked_at desc offset $3 limit 1)
  union all
  select 'client', id, null, null, null from clients
  where provider = $1 and disabled_at > now() - make_interval(secs => $2)
  union all
  select 'token', token_id, null, null, null from revoked_tokens
  where provider = $1 and revoked_at > now() - make_interval(secs => $2)`;

/** The id of the key that signs the realm's tokens. */
export function signingKeyOf({ keys }: Realm): string | undefined {
  return keys[0]?.kid;
}

/** In the order in which the OpenID library names its parts. */
export function publicPart({ kty, use, kid, alg, e, n }: JWK): JWK {
  return { kty, use, kid, alg, e, n };
}
