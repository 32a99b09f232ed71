import { type Scope, searchSql } from '../../../platform/search/search-sql.ts';
import type { Searchable } from '../../../platform/search/searchable.ts';
import { comparable } from '../../../platform/search/text-sql.ts';
import { searchTime, vehicleSearchFields, vehicleTables } from '../vehicle-fields.ts';
import { fleetVersion, type PageRow, pageOf } from './page-sql.ts';
import { maxCachedIds } from './search-cache.ts';
import { textColumns, vehicleTextSql } from './text-search.ts';
import {
  type CountedVehicles,
  isOfStatus,
  offsetOf,
  type VehicleSearch,
} from './vehicle-search.ts';

export const searchableVehicles: Searchable = {
  fields: vehicleSearchFields,
  columns: 'v.id',
  from: vehicleTables,
  textColumns,
  textSql: vehicleTextSql,
  id: 'v.id',
};

/** Any search, in one statement, so that the page, the total and the version are of the same moment. */
export async function searchAndCount(search: VehicleSearch): Promise<CountedVehicles> {
  const { db, request } = search;
  const { page, sorting } = request;
  const sql = searchSql(searchableVehicles, scopeOf(search), request);
  const { found, isNarrowed, values, bind } = sql;
  const columns = sorting.map(({ field }, index) => `${comparable(field)} as key_${index}`);
  const terms = sorting.map(({ direction }, index) => `key_${index} ${direction} nulls last`);
  const order = [...terms, 'id'].join(', ');
  const hasOrderOfFleet = !sorting.some(({ field }) => isOfStatus(field));
  const limits = `limit ${bind(page.pageSize)} offset ${bind(offsetOf(page))}`;
  const [row] = await db.queryUnprepared<PageRow & { total: number; ids: string[] }>(
    `with found as ${isNarrowed ? '' : 'not'} materialized (
       select ${['v.id', ...columns].join(', ')} from ${found}
     )
     select ${fleetVersion}, (select count(*) from found) as total, list.*,
       array(select id from found order by ${order} limit ${hasOrderOfFleet ? maxCachedIds : 0}) as ids
     from ${pageOf(`array(select id from found order by ${order} ${limits})`)} as list`,
    values,
  );
  const { version = null, total = 0, ids = [], items } = row ?? {};
  return { items: items ?? '', total, version, ids };
}

/** The time is bound where a field uses it: PostgreSQL refuses a parameter that no expression gives a type. */
function scopeOf({ provider, request, now }: VehicleSearch): Scope {
  const usesTime = [...request.filters, ...request.sorting].some(({ field }) =>
    field?.column.includes(searchTime),
  );
  return { conditions: ['v.provider = $1'], values: usesTime ? [provider, now] : [provider] };
}
