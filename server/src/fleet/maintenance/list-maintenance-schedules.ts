import { operation } from '../../platform/http/operation.ts';
import { invalidQuery } from '../../platform/http/query.ts';
import { listQuery, queryPage } from '../../platform/search/list-query.ts';
import { pageResponse } from '../../platform/search/page.ts';
import { type Searchable, search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  exampleSchedule,
  MaintenanceScheduleSchema,
  type ScheduleRow,
  scheduleColumns,
  scheduleFields,
  scheduleOf,
} from './maintenance-schedule.ts';

export const listMaintenanceSchedules = operation({
  id: 'listMaintenanceSchedules',
  method: 'GET',
  path: '/maintenance-schedules',
  tag: 'Maintenance',
  origin: 'motorpool',
  summary: 'List the maintenance schedules of an asset provider',
  description:
    'Returns the schedules that match all filters, in pages; by title unless another order is asked for. A filter without a ' +
    'field looks for text in the title and the notes.',
  parameters: {},
  query: listQuery('MaintenanceSchedule', scheduleFields),
  responses: {
    200: pageResponse(
      'ListMaintenanceSchedulesResponse',
      'A page of schedules.',
      MaintenanceScheduleSchema,
      exampleSchedule,
    ),
  },
  notFound: [],
  async handler({ provider, query }, { db }: Dependencies) {
    const { rows, pagination } = await search<ScheduleRow>(
      db,
      schedules,
      { conditions: ['m.provider = $1'], values: [provider.id] },
      { ...query, page: queryPage(query) },
      invalidQuery,
    );
    return { status: 200, body: { items: rows.map(scheduleOf), pagination } };
  },
});

const schedules: Searchable = {
  fields: scheduleFields,
  columns: scheduleColumns,
  from: 'maintenance_schedules m',
  textColumns: ['m.title', 'm.notes'],
  defaultOrder: ['lower(m.title) collate "C"', 'm.title'],
  id: 'm.id',
};
