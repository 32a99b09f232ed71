import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { invalidQuery } from '../../platform/http/query.ts';
import { queryPage } from '../../platform/search/list-query.ts';
import type { Page } from '../../platform/search/page.ts';
import {
  type Found,
  type Searchable,
  type SearchRequest,
  search,
} from '../../platform/search/search.ts';
import { requireVehicle } from './vehicle-scope.ts';

/** A page of what belongs to one vehicle, in a table that goes by `alias`, as the query asks for it. */
export async function listOfVehicle<Row extends object>(
  db: Queryable,
  searchable: Searchable,
  alias: string,
  provider: ProviderRef,
  vehicleId: string,
  query: Omit<SearchRequest, 'page'> & Partial<Page>,
): Promise<Found<Row>> {
  const found = await search<Row>(
    db,
    searchable,
    {
      conditions: [`${alias}.provider = $1`, `${alias}.vehicle_id = $2`],
      values: [provider.id, vehicleId],
    },
    { ...query, page: queryPage(query) },
    invalidQuery,
  );
  if (found.pagination.totalEntries === 0) await requireVehicle(db, provider, vehicleId);
  return found;
}
