import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { ParsedSearch } from '../../platform/search/parse-search.ts';
import { type Found, search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { requireVehicle } from './vehicle-scope.ts';

/** A page of the entries of one vehicle, from a table with the alias `alias`. */
export async function listOfVehicle<Row extends object>(
  db: Queryable,
  searchable: Searchable,
  alias: string,
  provider: ProviderRef,
  vehicleId: string,
  request: ParsedSearch,
): Promise<Found<Row>> {
  const scope = {
    conditions: [`${alias}.provider = $1`, `${alias}.vehicle_id = $2`],
    values: [provider.id, vehicleId],
  };
  const result = await search<Row>(db, searchable, scope, request);
  if (result.pagination.totalEntries === 0) await requireVehicle(db, provider, vehicleId);
  return result;
}
