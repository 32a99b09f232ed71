import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { orderedText } from '../../platform/search/text-sql.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  exampleSchedule,
  MaintenanceScheduleSchema,
  type ScheduleRow,
  scheduleColumns,
  scheduleFields,
  scheduleOf,
} from './maintenance-schedule.ts';

const schedules: Searchable = {
  fields: scheduleFields,
  columns: scheduleColumns,
  from: 'maintenance_schedules m',
  textColumns: ['m.title', 'm.notes'],
  defaultOrder: [orderedText('m.title'), 'm.title'],
  id: 'm.id',
};

export const [listMaintenanceSchedules, findMaintenanceSchedules] = listAndSearch({
  list: {
    id: 'listMaintenanceSchedules',
    summary: 'List the maintenance schedules of an asset provider',
    description: 'Returns the schedules of the asset provider, in pages; by title.',
    equals: ['type'],
  },
  search: {
    id: 'findMaintenanceSchedules',
    summary: 'Find maintenance schedules of an asset provider',
    description:
      'Returns the schedules of the asset provider that match all filters, in pages; by title unless another order is ' +
      'asked for. A filter without a field looks for text in the title and the notes.',
    examples: {
      byDistance: {
        summary: 'Those by distance, the shortest interval first',
        value: {
          filters: [{ field: 'intervalDistance', operator: 'exists', value: true }],
          sorting: [{ field: 'intervalDistance' }],
        },
      },
    },
  },
  path: '/maintenance-schedules',
  tag: 'Maintenance',
  role: 'viewer',
  parameters: {},
  searchable: schedules,
  page: pageResponse(
    'ListMaintenanceSchedulesResponse',
    'A page of schedules.',
    MaintenanceScheduleSchema,
    exampleSchedule,
  ),
  notFound: [],
  async read({ provider, request }, { db }: Dependencies) {
    const found = await search<ScheduleRow>(
      db,
      schedules,
      { conditions: ['m.provider = $1'], values: [provider.id] },
      request,
    );
    return pageBody(found.rows.map(scheduleOf), found);
  },
});
