import type { Database } from '../../platform/db/database.ts';
import { oncePerDatabase } from '../../platform/db/once-per-database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { ParsedSearch } from '../../platform/search/parse-search.ts';
import { fromCache } from './search/from-cache.ts';
import { searchAndCount } from './search/search-and-count.ts';
import { searchByBucket } from './search/search-by-bucket.ts';
import { createSearchCache } from './search/search-cache.ts';
import { searchRareText } from './search/search-rare-text.ts';
import { sharedBetweenRequests } from './search/shared-between-requests.ts';
import {
  cacheKeyOf,
  type FoundVehicles,
  firstResult,
  type Strategy,
} from './search/vehicle-search.ts';

/** Tried in this order until one applies. Counting is what costs (docs/decisions/0019-fast-search.md). */
const strategies: readonly Strategy[] = [
  // The total and the ids of the same search, cached for this version of the fleet.
  fromCache,
  // A text that few vehicles have, by its trigram index.
  searchRareText,
  // What counts runs once for all requests that want the same at a time, and its result is cached:
  sharedBetweenRequests([
    // all vehicles sorted by odometer, by the index of its buckets;
    searchByBucket,
    // any search, by one general statement.
    searchAndCount,
  ]),
];

export async function searchVehicles(
  db: Database,
  { id: provider }: ProviderRef,
  request: ParsedSearch,
  now: Date,
): Promise<FoundVehicles> {
  const cacheKey = cacheKeyOf(provider, request);
  const search = { db, provider, request, now, cache: cacheOf(db), cacheKey };
  const found = await firstResult(strategies, search);
  if (!found) throw new Error('No strategy applies to the search.');
  return found;
}

const cacheOf = oncePerDatabase(() => createSearchCache());
