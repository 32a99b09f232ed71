import type { FindIncidentsRequest } from '@motorpool/client';
import {
  defaultPageSize,
  parseFilters,
  parseSorting,
  type TableSearch,
  toFilter,
} from '../../table/table-search.ts';
import { incidentFieldType } from './incident-fields.ts';

/** What is open first, and of that what may not drive. */
const defaultSort = 'isResolved,vehicleOperable,-reportTimestamp';

/** What the table of an address asks the service for. */
export function incidentsRequest(search: TableSearch): FindIncidentsRequest {
  return {
    ...(search.q && { searchText: search.q }),
    filters: parseFilters(search).map((filter) =>
      toFilter(filter, incidentFieldType(filter.field)),
    ),
    sorting: parseSorting(search.sort ?? defaultSort),
    pagination: { pageNumber: search.page ?? 0, pageSize: search.size ?? defaultPageSize },
  };
}
