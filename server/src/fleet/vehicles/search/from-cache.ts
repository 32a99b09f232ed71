import type { Lookup } from '../../../platform/db/lookup-batcher.ts';
import { lookupPage } from './lookup-page.ts';
import { fleetVersion, type PageRow, pageOf } from './page-sql.ts';
import { listByBucket } from './search-by-bucket.ts';
import { type FoundVehicles, lengthOf, offsetOf, type VehicleSearch } from './vehicle-search.ts';

/**
 * The cached total, and the page of the cached ids; undefined when the fleet has another version by now
 * (docs/decisions/0019-fast-search.md).
 */
export async function fromCache(search: VehicleSearch): Promise<FoundVehicles | undefined> {
  const { provider, request, cache, cacheKey } = search;
  const cached = cache.get(provider, cacheKey);
  if (!cached) return undefined;
  const { page } = request;
  const expected = lengthOf(page, cached.total);
  const ids = cached.ids.slice(offsetOf(page), offsetOf(page) + expected);
  const row =
    ids.length === expected
      ? await lookupPage<PageRow>(search, vehiclesByIds, [provider, ids])
      : await listByBucket(search);
  if (row?.version !== cached.version || row.listed !== expected) return undefined;
  return { items: row.items ?? '', total: cached.total };
}

const vehiclesByIds: Lookup = {
  text: `select ${fleetVersion}, list.* from ${pageOf('$2::text[]')} as list`,
  parameters: ['text', 'text[]'],
};
