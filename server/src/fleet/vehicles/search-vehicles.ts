import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { memoizeByIdentity } from '../../platform/memoize-by-identity.ts';
import type { Field } from '../../platform/search/field.ts';
import type { Page } from '../../platform/search/page.ts';
import type { ParsedSearch, SortingKey } from '../../platform/search/parse-search.ts';
import { searchSql } from '../../platform/search/search-sql.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { comparable } from '../../platform/search/text-sql.ts';
import { indexPattern } from './index-pattern.ts';
import { type CachedSearch, createSearchCache, maxCachedIds } from './search-cache.ts';
import { vehicleSearchFields, vehicleTables } from './vehicle-fields.ts';
import { vehicleItem } from './vehicle-item.ts';

export const searchableVehicles: Searchable = {
  fields: vehicleSearchFields,
  columns: 'v.id',
  from: vehicleTables,
  textColumns: ['v.vin', 'v.license_plate', 'v.vendor', 'v.model', 'v.variant'],
  textLines: 'v.search_text',
  id: 'v.id',
};

/** A page of the vehicles found, as JSON separated by commas, and how many there are on all pages. */
export type FoundVehicles = { items: string; total: number };

type Search = { db: Queryable; provider: string; request: ParsedSearch };

/**
 * To count what a search finds is what costs. A text that few vehicles have is answered by its index.
 * Whatever else depends on the vehicles alone, and not on their statuses, is found once, and is so as
 * long as the fleet has the same version: every answer from cache reads the version with its items.
 */
export async function searchVehicles(
  db: Queryable,
  provider: ProviderRef,
  request: ParsedSearch,
): Promise<FoundVehicles> {
  const cache = cacheOf(db);
  const search = { db, provider: provider.id, request };
  const key = cacheKey(provider, request);
  const recalled = async () => {
    const known = cache.get(key);
    return known && fromCache(search, known);
  };
  const quick = cache.get(key) ? await recalled() : await searchRareText(search);
  if (quick) return quick;
  if (request.filters.some(({ field }) => field && isOfStatus(field)))
    return (await searchAndCount(search)).found;
  // After a write, all who ask would count at once, and nobody else be served for half a second.
  for (let waits = 0; waits < mostWaits; waits++) {
    const others = cache.finding(key);
    if (!others) break;
    await others;
    const shared = await recalled();
    if (shared) return shared;
  }
  const finding = find(search);
  cache.setWhenFound(
    key,
    finding.then(({ cached }) => cached),
  );
  return (await finding).found;
}

const cacheOf = memoizeByIdentity((_database: Queryable) => createSearchCache());

/** Where vehicles are written all the time, what others find may always be outdated already. */
const mostWaits = 2;

/** Whatever finds the same in the same order, on any page. */
function cacheKey(provider: ProviderRef, { text, filters, sorting }: ParsedSearch): string {
  return JSON.stringify([
    provider.id,
    text,
    filters.map((filter) =>
      filter.field ? [filter.field.path, filter.operator, filter.value] : filter.value,
    ),
    sorting.map(({ field, direction }) => [field.path, direction]),
  ]);
}

function isOfStatus({ column }: Field): boolean {
  return /\bs\./.test(column);
}

function offsetOf({ pageNumber, pageSize }: Page): number {
  return pageNumber * pageSize;
}

/** How many are on the page when there are so many on all pages. */
function lengthOf(page: Page, total: number): number {
  return Math.min(page.pageSize, Math.max(0, total - offsetOf(page)));
}

/** What was found before, while that is still so. */
async function fromCache(search: Search, known: CachedSearch): Promise<FoundVehicles | undefined> {
  const { db, provider, request } = search;
  const { page } = request;
  const expected = lengthOf(page, known.total);
  const ids = known.ids.slice(offsetOf(page), offsetOf(page) + expected);
  const row =
    ids.length === expected
      ? await db.lookup<Listed>(vehiclesByIds, [provider, ids])
      : await byBucket(search, 'listed');
  if (row?.version !== known.version || row.listed !== expected) return undefined;
  return { items: row.items ?? '', total: known.total };
}

type Listed = { version: string | null; listed: number; items: string | null };

const version = '(select version from fleet_versions where provider = $1) as version';

/** The items of these ids in their order, and how many there are. */
function listOf(ids: string): string {
  return `
    (select count(*)::int as listed, string_agg(item, ',' order by place) as items from (
      select place, ${vehicleItem} as item
      from unnest(${ids}) with ordinality as page (id, place)
      join vehicles v on v.provider = $1 and v.id = page.id
      left join vehicle_statuses s on s.provider = $1 and s.vehicle_id = page.id
    ) as one)`;
}

const vehiclesByIds: Lookup = {
  text: `select ${version}, list.* from ${listOf('$2::text[]')} as list`,
  parameters: ['text', 'text[]'],
};

type Finding = { found: FoundVehicles; cached: CachedSearch };

async function find(search: Search): Promise<Finding> {
  return (await countByBucket(search)) ?? (await searchAndCount(search));
}

/** What all vehicles are sorted by, when that is one field that has bucketColumn. */
function bucketKeyOf({ request }: Search): SortingKey | undefined {
  const { text, filters, sorting } = request;
  if (text !== '' || filters.length > 0) return undefined;
  const [key, more] = sorting;
  return more || key?.field.bucketColumn === undefined ? undefined : key;
}

/** All vehicles are counted: 18 ms among 100,000, which to sort takes 114 ms. */
async function countByBucket(search: Search): Promise<Finding | undefined> {
  const row = await byBucket<Listed & { total: number }>(search, 'counted');
  if (row?.listed !== lengthOf(search.request.page, row?.total ?? 0)) return undefined;
  const { version, total, items } = row;
  return { found: { items: items ?? '', total }, cached: { version, total, ids: [] } };
}

/** Vehicles without a value, which come last, aside. */
async function byBucket<Row extends Listed>(
  search: Search,
  how: 'listed' | 'counted',
): Promise<Row | undefined> {
  const { db, provider, request } = search;
  const key = bucketKeyOf(search);
  if (!key) return undefined;
  const limits = [request.page.pageSize, offsetOf(request.page)];
  return db.lookup(vehiclesByBucket(key.field)[key.direction][how], [provider, ...limits]);
}

const vehiclesByBucket = memoizeByIdentity(({ bucketColumn, column }: Field) => {
  const sorted = (direction: SortingKey['direction']) => {
    const ids = `array(
      select s.vehicle_id from vehicle_statuses s where s.provider = $1 and ${bucketColumn} is not null
      order by ${bucketColumn} ${direction}, ${column} ${direction}, s.vehicle_id
      limit ${unplanned('$2::bigint')} offset ${unplanned('$3::bigint')})`;
    const lookup = (...columns: string[]): Lookup => ({
      text: `select ${[version, ...columns, 'list.*'].join(', ')} from ${listOf(ids)} as list`,
      parameters: ['text', 'bigint', 'bigint'],
    });
    return {
      listed: lookup(),
      counted: lookup('(select count(*)::int from vehicles where provider = $1) as total'),
    };
  };
  return { asc: sorted('asc'), desc: sorted('desc') };
});

/** Hides a value from the planner, which would plan anew for each: 0.8 ms for a statement that takes 0.4 ms. */
function unplanned(value: string): string {
  return `(select ${value})`;
}

const fewVehicles = 200;

const vehiclesOfRareText: Lookup = {
  text: `
    with hits as materialized (
      select provider, id from vehicles
      where search_text like ${unplanned('lower($2)')} and strpos(search_text, lower($3)) > 0
      limit ${fewVehicles + 1}
    )
    select (select count(*)::int from hits) as hits,
      (select count(*)::int from hits where provider = $1) as total, list.items
    from ${listOf('array(select id from hits where provider = $1 order by id limit $4::bigint offset $5::bigint)')} as list`,
  parameters: ['text', 'text', 'text', 'bigint', 'bigint'],
};

/** A text that few vehicles have, whoever they belong to: 0.3 ms, against 15 ms for one that 6,600 have. */
async function searchRareText({
  db,
  provider,
  request,
}: Search): Promise<FoundVehicles | undefined> {
  const { text, filters, sorting, page } = request;
  // The index knows texts by three letters or digits in a row.
  const isIndexed = /[\p{L}\p{N}]{3}/u.test(text) && !text.includes('\n');
  if (!isIndexed || filters.length + sorting.length > 0) return undefined;
  const row = await db.lookup<{ hits: number; total: number; items: string | null }>(
    vehiclesOfRareText,
    [provider, indexPattern(text), text, page.pageSize, offsetOf(page)],
  );
  if (!row || row.hits > fewVehicles) return undefined;
  return { items: row.items ?? '', total: row.total };
}

async function searchAndCount({ db, provider, request }: Search): Promise<Finding> {
  const { page, sorting } = request;
  const scope = { conditions: ['v.provider = $1'], values: [provider] };
  const { found, isNarrowed, values, bind } = searchSql(searchableVehicles, scope, request);
  const columns = sorting.map(({ field }, index) => `${comparable(field)} as key_${index}`);
  const terms = sorting.map(({ direction }, index) => `key_${index} ${direction} nulls last`);
  const order = [...terms, 'id'].join(', ');
  const hasOrderOfFleet = !sorting.some(({ field }) => isOfStatus(field));
  const limits = `limit ${bind(page.pageSize)} offset ${bind(offsetOf(page))}`;
  const [row] = await db.queryUnprepared<Listed & { total: number; ids: string[] }>(
    `with found as ${isNarrowed ? '' : 'not'} materialized (
       select ${['v.id', ...columns].join(', ')} from ${found}
     )
     select ${version}, (select count(*) from found) as total, list.*,
       array(select id from found order by ${order} limit ${hasOrderOfFleet ? maxCachedIds : 0}) as ids
     from ${listOf(`array(select id from found order by ${order} ${limits})`)} as list`,
    values,
  );
  const { version: seen = null, total = 0, ids = [], items } = row ?? {};
  return {
    found: { items: items ?? '', total },
    cached: { version: seen, total, ids },
  };
}
