import type { JWK } from 'jose';
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
  const remembered = new Map<string, { realm: Realm; until: number }>();

  async function refresh(provider: string): Promise<Realm | undefined> {
    const realm = providerPattern.test(provider) ? await loadRealm(db, provider) : undefined;
    remembered.delete(provider);
    if (!realm) return undefined;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(provider, { realm, until: Date.now() + rememberedMs });
    return realm;
  }

  const known = (provider: string) => {
    const found = remembered.get(provider);
    return found && found.until > Date.now() ? found.realm : undefined;
  };

  return {
    remembered: known,
    refresh,
    find: async (provider) => known(provider) ?? refresh(provider),
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
