import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { Database } from '../platform/db/database.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { maxCachedRealms, type Realms } from './realms.ts';

/** The origins of the applications that a realm has, those of their redirect URIs, and our own. */
export type RealmOrigins = (realm: string) => Promise<ReadonlySet<string>>;

const cacheTtlMs = 1_000;
/** Redirect URIs of a realm that are looked at: its administrators can make any number of them. */
const maxUris = 2_000;

/** Read at most once a second for a realm, and for those that exist alone: anybody can cause it. */
export function createRealmOrigins(
  db: Database,
  realms: Realms,
  publicUrl: () => string,
  allowDemoCredentials: boolean,
): RealmOrigins {
  const cache = new LRUCache<string, ReadonlySet<string>>({
    ...atMost(maxCachedRealms),
    ttl: cacheTtlMs,
  });
  const loading = new Map<string, Promise<ReadonlySet<string>>>();

  async function load(realm: string): Promise<ReadonlySet<string>> {
    try {
      const rows = await db
        .forTenant(realm)
        .query<{ start: string }>(selectStarts, [realm, allowDemoCredentials, maxUris]);
      const origins = new Set([publicUrl(), ...originsOf(rows.map(({ start }) => start))]);
      cache.set(realm, origins);
      return origins;
    } finally {
      loading.delete(realm);
    }
  }

  return async (realm) => {
    const cached = cache.get(realm);
    if (cached) return cached;
    if (!(await realms.find(realm))) return new Set([publicUrl()]);
    const running = loading.get(realm) ?? load(realm);
    loading.set(realm, running);
    return running;
  };
}

/** What stands before the path. */
const selectStarts = `
  select distinct substring(uri from '^https?://[^/?#]+') as start
  from (
    select unnest(redirect_uris) as uri from clients
    where provider = $1 and redirect_uris <> '{}' and disabled_at is null and (not demo or $2)
      and (expires_at is null or expires_at > now())
    limit $3
  ) uris
  where uri ~ '^https?://[^/?#]+'
  order by start`;

export function originsOf(uris: readonly string[]): string[] {
  return uris.filter(isSecureAddress).map((uri) => new URL(uri).origin);
}
