import { operation } from '../../platform/http/operation.ts';
import { listQuery } from '../../platform/search/list-query.ts';
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

export const listMaintenanceSchedules = operation({
  id: 'listMaintenanceSchedules',
  method: 'GET',
  path: '/maintenance-schedules',
  tag: 'Maintenance',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'List the maintenance schedules of an asset provider',
  description:
    'Returns the schedules that match all filters, in pages; by title unless another order is asked for. A filter without a ' +
    'field looks for text in the title and the notes.',
  parameters: {},
  query: listQuery('MaintenanceSchedule', schedules),
  responses: {
    200: pageResponse(
      'ListMaintenanceSchedulesResponse',
      'A page of schedules.',
      MaintenanceScheduleSchema,
      exampleSchedule,
    ),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, query }, { db }: Dependencies) {
    const found = await search<ScheduleRow>(
      db,
      schedules,
      { conditions: ['m.provider = $1'], values: [provider.id] },
      query,
    );
    return { status: 200, body: pageBody(found.rows.map(scheduleOf), found) };
  },
});
