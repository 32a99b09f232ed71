import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  ifMatchHeader,
  scheduleKey,
  scheduleParameter,
} from './maintenance-schedule.ts';

export const deleteMaintenanceSchedule = operation({
  id: 'deleteMaintenanceSchedule',
  method: 'DELETE',
  path: '/maintenance-schedules/{scheduleId}',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a maintenance schedule',
  description: 'Deletes the schedule and its reports. A second call answers 404.',
  parameters: scheduleParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The schedule is deleted.' } },
  notFound: ['maintenance schedule'],
  problems: changedMeanwhile,
  async handler({ provider, parameters: { scheduleId }, header }, { db }: Dependencies) {
    const key = scheduleKey(provider, scheduleId);
    return db.transaction(async (tx) => {
      await deleteMatching(tx, 'maintenance schedule', scheduleRow, key, header('if-match'));
      return { status: 204 };
    });
  },
});

const scheduleRow = 'maintenance_schedules where provider = $1 and id = $2';
