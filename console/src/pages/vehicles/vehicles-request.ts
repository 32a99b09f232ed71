import type { FindVehiclesRequest } from '@motorpool/client';
import {
  defaultPageSize,
  parseFilters,
  parseSorting,
  type TableSearch,
  toFilter,
} from '../../table/table-search.ts';
import { vehicleFieldType } from './vehicle-fields.ts';

const defaultSort = 'information.licensePlate';

/** What the table of an address asks the service for. */
export function vehiclesRequest(search: TableSearch): FindVehiclesRequest {
  return {
    ...(search.q && { searchText: search.q, searchMode: 'words' }),
    filters: parseFilters(search).map((filter) => toFilter(filter, vehicleFieldType(filter.field))),
    sorting: parseSorting(search.sort ?? defaultSort),
    pagination: { pageNumber: search.page ?? 0, pageSize: search.size ?? defaultPageSize },
  };
}
