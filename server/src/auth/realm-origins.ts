import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { Database } from '../platform/db/database.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { maxCachedRealms } from './realms.ts';

/** The origins of the applications that a realm has, those of their redirect URIs, and our own. */
export type RealmOrigins = (realm: string) => Promise<ReadonlySet<string>>;

const cacheTtlMs = 1_000;

/** Read at most once a second for a realm: anybody can cause it. */
export function createRealmOrigins(
  db: Database,
  publicUrl: () => string,
  allowDemoCredentials: boolean,
): RealmOrigins {
  const cache = new LRUCache<string, Promise<ReadonlySet<string>>>({
    ...atMost(maxCachedRealms),
    ttl: cacheTtlMs,
  });

  async function load(realm: string): Promise<ReadonlySet<string>> {
    const rows = await db.query<{ uri: string }>(
      `select distinct uri from clients, unnest(redirect_uris) uri
       where provider = $1 and disabled_at is null and (not demo or $2)
         and (expires_at is null or expires_at > now())
       order by uri`,
      [realm, allowDemoCredentials],
    );
    return new Set([publicUrl(), ...originsOf(rows.map(({ uri }) => uri))]);
  }

  return (realm) => {
    const cached = cache.get(realm);
    if (cached) return cached;
    const loading = load(realm);
    cache.set(realm, loading);
    loading.catch(() => cache.delete(realm));
    return loading;
  };
}

export function originsOf(uris: readonly string[]): string[] {
  return uris.filter(isSecureAddress).map((uri) => new URL(uri).origin);
}
