import type { Lookup } from '../../../platform/db/lookup-batcher.ts';
import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import type { Field } from '../../../platform/search/field.ts';
import type { SortingKey } from '../../../platform/search/parse-search.ts';
import { lookupPage } from './lookup-page.ts';
import { fleetVersion, type PageRow, pageOf, unplanned } from './page-sql.ts';
import { type CountedVehicles, lengthOf, offsetOf, type VehicleSearch } from './vehicle-search.ts';

/**
 * All vehicles, sorted by one field that has an index of buckets: counted, but not sorted
 * (docs/decisions/0019-fast-search.md).
 */
export async function searchByBucket(search: VehicleSearch): Promise<CountedVehicles | undefined> {
  const row = await lookupByBucket<PageRow & { total: number }>(search, 'counted');
  // Vehicles without a value, which come last, are not in the index.
  if (row?.listed !== lengthOf(search.request.page, row?.total ?? 0)) return undefined;
  const { version, total, items } = row;
  return { items: items ?? '', total, version, ids: [] };
}

/** The page of the same search, without the total. */
export async function listByBucket(search: VehicleSearch): Promise<PageRow | undefined> {
  return lookupByBucket(search, 'listed');
}

async function lookupByBucket<Row extends PageRow>(
  search: VehicleSearch,
  lookup: 'listed' | 'counted',
): Promise<Row | undefined> {
  const { provider, request } = search;
  const key = bucketKeyOf(search);
  if (!key) return undefined;
  const limits = [request.page.pageSize, offsetOf(request.page)];
  const page = vehiclesByBucket(key.field)[key.direction][lookup];
  return lookupPage(search, page, [provider, ...limits]);
}

/** What all vehicles are sorted by, when that is one field with buckets. */
function bucketKeyOf({ request }: VehicleSearch): SortingKey | undefined {
  const { text, filters, sorting } = request;
  if (text !== '' || filters.length > 0) return undefined;
  const [key, more] = sorting;
  return more || key?.field.bucketColumn === undefined ? undefined : key;
}

const vehiclesByBucket = memoizeByIdentity(({ bucketColumn, column }: Field) => {
  const sorted = (direction: SortingKey['direction']) => {
    const ids = `array(
      select s.vehicle_id from vehicle_statuses s where s.provider = $1 and ${bucketColumn} is not null
      order by ${bucketColumn} ${direction}, ${column} ${direction}, s.vehicle_id
      limit ${unplanned('$2::bigint')} offset ${unplanned('$3::bigint')})`;
    const lookup = (...columns: string[]): Lookup => ({
      text: `select ${[fleetVersion, ...columns, 'list.*'].join(', ')} from ${pageOf(ids)} as list`,
      parameters: ['text', 'bigint', 'bigint'],
    });
    return {
      listed: lookup(),
      counted: lookup('(select count(*)::int from vehicles where provider = $1) as total'),
    };
  };
  return { asc: sorted('asc'), desc: sorted('desc') };
});
