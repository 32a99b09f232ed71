import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  etagHeader,
  exampleSchedule,
  MaintenanceScheduleSchema,
  type ScheduleRow,
  scheduleColumns,
  scheduleKey,
  scheduleOf,
  scheduleParameter,
} from './maintenance-schedule.ts';

export const getMaintenanceSchedule = operation({
  id: 'getMaintenanceSchedule',
  method: 'GET',
  path: '/maintenance-schedules/{scheduleId}',
  tag: 'Maintenance',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a maintenance schedule',
  description: 'Returns one schedule.',
  parameters: scheduleParameter,
  responses: {
    200: {
      description: 'The schedule.',
      schema: MaintenanceScheduleSchema,
      example: exampleSchedule,
      headers: etagHeader,
    },
  },
  notFound: ['maintenance schedule'],
  async handler({ provider, parameters: { scheduleId } }, { db }: Dependencies) {
    const [row] = await db.query<ScheduleRow>(selectSchedule, scheduleKey(provider, scheduleId));
    if (!row) throw notFound('maintenance schedule');
    return { status: 200, headers: { etag: etagOf(row.version) }, body: scheduleOf(row) };
  },
});

const selectSchedule = `
  select ${scheduleColumns} from maintenance_schedules m where m.provider = $1 and m.id = $2`;
