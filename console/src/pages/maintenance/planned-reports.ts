import type {
  Filter,
  ListPlannedMaintenanceRequest,
  MaintenanceReport,
  Motorpool,
} from '@motorpool/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';
import { addDays, addMonths } from '../../formats/days.ts';
import { soonestOf } from './maintenance-search.ts';

/** A page of the plan of the fleet. */
export function plannedPage(fleet: Motorpool, request: ListPlannedMaintenanceRequest) {
  return queryOptions({
    queryKey: queryKey('maintenance-report', 'page', request),
    queryFn: async ({ signal }) => {
      const { items, pagination } = await fleet.maintenance.findPlanned(request, { signal });
      return { items: Object.values(items), pagination };
    },
    placeholderData: keepPreviousData,
  });
}

const pageSize = 1_000;

/** What is due in a month, or forecast for it, by the day that counts; of what matches these filters. */
export function plannedOfMonth(fleet: Motorpool, month: string, filters: readonly Filter[]) {
  const first = `${month}-01`;
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  return queryOptions({
    queryKey: queryKey('maintenance-report', 'month', month, filters),
    queryFn: async ({ signal }) => {
      const found = new Map<string, MaintenanceReport>();
      for (const field of ['dueDate', 'forecastDate']) {
        for (let pageNumber = 0; ; pageNumber++) {
          const { items, pagination } = await fleet.maintenance.findPlanned(
            {
              filters: [
                { field, operator: 'gte', value: first },
                { field, operator: 'lte', value: last },
                ...filters,
              ],
              pagination: { pageNumber, pageSize },
            },
            { signal },
          );
          for (const report of Object.values(items)) found.set(report.id, report);
          if ((pageNumber + 1) * pageSize >= pagination.totalEntries) break;
        }
      }
      return [...found.values()].filter((report) => soonestOf(report)?.startsWith(month));
    },
    placeholderData: keepPreviousData,
  });
}
