import type { Lookup } from '../../../platform/db/lookup-batcher.ts';
import { pageOf } from './page-sql.ts';
import { hasText, hasTrigrams, hasWords, parseText, patternOf } from './text-search.ts';
import { type FoundVehicles, offsetOf, type VehicleSearch } from './vehicle-search.ts';

const maxHits = 200;

/** A text that few vehicles of the provider have, by the trigram index (docs/decisions/0019-fast-search.md). */
export async function searchRareText(search: VehicleSearch): Promise<FoundVehicles | undefined> {
  const { db, provider, request, cache, cacheKey } = search;
  const { text, mode, filters, sorting, page } = request;
  if (text === '' || filters.length + sorting.length > 0) return undefined;
  // Only a text that is not rare has been cached.
  if (cache.has(provider, cacheKey)) return undefined;
  const { plain, hyphenated, trigrams } = parseText(text, mode);
  if (!trigrams || hyphenated.length > 0) return undefined;
  const patterns = plain.map(patternOf);
  const row = await db.lookup<{ total: number; items: string | null }>(vehiclesByRareText[mode], [
    provider,
    ...trigrams,
    mode === 'words' ? patterns : patterns[0],
    page.pageSize,
    offsetOf(page),
  ]);
  if (!row || row.total > maxHits) return undefined;
  return { items: row.items ?? '', total: row.total };
}

function byRareText(condition: string, type: 'text' | 'text[]'): Lookup {
  return {
    text: `
      with hits as materialized (
        select v.id from vehicles v
        where v.provider = $1 and ${hasTrigrams(['$2', '$3', '$4'])} and ${condition}
        limit ${maxHits + 1}
      )
      select (select count(*)::int from hits) as total, list.items
      from ${pageOf('array(select id from hits order by id limit $6::bigint offset $7::bigint)')} as list`,
    parameters: ['text', 'text', 'text', 'text', type, 'bigint', 'bigint'],
  };
}

const vehiclesByRareText = {
  literal: byRareText(hasText('$5::text'), 'text'),
  words: byRareText(hasWords('$5::text[]'), 'text[]'),
};
