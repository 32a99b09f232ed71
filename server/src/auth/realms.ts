import type { JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import { realmKeys, type SigningKey, tokenLifetimeSeconds } from './keys.ts';

/** What a request must know of a provider before it is served. */
export type Realm = {
  provider: string;
  disabled: boolean;
  keys: SigningKey[];
  /** Changes with the keys; a server built for another version is stale. */
  version: string;
  /** Clients that were disabled while a token of theirs can still be alive. */
  disabledClients: Set<string>;
};

export type Realms = {
  /** As the database had it at most a second ago; nothing when it has not been asked since. */
  remembered(provider: string): Realm | undefined;
  /** As the database has it now, or had it at most a second ago; nothing for an unknown one. */
  find(provider: string): Promise<Realm | undefined>;
  /** As the database has it now. */
  refresh(provider: string): Promise<Realm | undefined>;
};

// Decision 0005: long enough to cost nothing, short enough that a disabled client feels it at once.
const rememberedMs = 1_000;
const maxRemembered = 10_000;
// What a path or an unverified token names; nothing else can be a provider, nor is worth a query.
const providerPattern = /^[A-Z]{2}-[A-Z0-9]{3}$/;

export function createRealms(db: Database): Realms {
  const remembered = new LRUCache<string, Realm>({
    max: maxRemembered,
    // The library keeps an entry until its age is more than this.
    ttl: rememberedMs - 1,
    ttlResolution: 0,
    perf: { now: () => Date.now() },
  });

  async function refresh(provider: string): Promise<Realm | undefined> {
    const realm = providerPattern.test(provider) ? await loadRealm(db, provider) : undefined;
    // For a provider that is gone this is undefined, which deletes the entry.
    remembered.set(provider, realm);
    return realm;
  }

  return {
    remembered: (provider) => remembered.get(provider),
    refresh,
    find: async (provider) => remembered.get(provider) ?? refresh(provider),
  };
}

async function loadRealm(db: Database, provider: string): Promise<Realm | undefined> {
  const [row] = await db.query<{ disabled: boolean; disabled_clients: string[] }>(
    `select disabled_at is not null as disabled,
            array(select c.id from clients c where c.provider = p.id
                  and c.disabled_at > now() - make_interval(secs => $2)) as disabled_clients
     from providers p where id = $1`,
    [provider, tokenLifetimeSeconds + 60],
  );
  if (!row) return undefined;
  const keys = await realmKeys(db, provider);
  return {
    provider,
    disabled: row.disabled,
    keys,
    version: keys.map((key) => key.kid).join(' '),
    disabledClients: new Set(row.disabled_clients),
  };
}

export function publicPart({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use };
}
