import type { Lookup } from '../../../platform/db/lookup-batcher.ts';
import { indexPattern } from './index-pattern.ts';
import { pageOf, unplanned } from './page-sql.ts';
import { type FoundVehicles, offsetOf, type VehicleSearch } from './vehicle-search.ts';

const maxHits = 200;

/** A text that few vehicles of the provider have, by the trigram index (docs/decisions/0019-fast-search.md). */
export async function searchRareText(search: VehicleSearch): Promise<FoundVehicles | undefined> {
  const { db, provider, request, cache, cacheKey } = search;
  const { text, page } = request;
  // Only a text that is not rare has been cached.
  if (!isIndexedText(search) || cache.has(provider, cacheKey)) return undefined;
  const row = await db.lookup<{ total: number; items: string | null }>(vehiclesByRareText, [
    provider,
    indexPattern(text),
    text,
    page.pageSize,
    offsetOf(page),
  ]);
  if (!row || row.total > maxHits) return undefined;
  return { items: row.items ?? '', total: row.total };
}

/** The index needs three letters or digits in a row. */
function isIndexedText({ request: { text, filters, sorting } }: VehicleSearch): boolean {
  if (filters.length + sorting.length > 0) return false;
  return /[\p{L}\p{N}]{3}/u.test(text) && !text.includes('\n');
}

const vehiclesByRareText: Lookup = {
  text: `
    with hits as materialized (
      select id from vehicles
      where provider = $1 and search_text like ${unplanned('lower($2)')} and strpos(search_text, lower($3)) > 0
      limit ${maxHits + 1}
    )
    select (select count(*)::int from hits) as total, list.items
    from ${pageOf('array(select id from hits order by id limit $4::bigint offset $5::bigint)')} as list`,
  parameters: ['text', 'text', 'text', 'bigint', 'bigint'],
};
