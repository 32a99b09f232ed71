import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { scheduleKey, scheduleParameter } from './maintenance-schedule.ts';

export const deleteMaintenanceSchedule = operation({
  id: 'deleteMaintenanceSchedule',
  method: 'DELETE',
  path: '/maintenance-schedules/{scheduleId}',
  tag: 'Maintenance',
  origin: 'motorpool',
  summary: 'Delete a maintenance schedule',
  description: 'Deletes the schedule and its reports. A second call answers 404.',
  parameters: scheduleParameter,
  responses: { 204: { description: 'The schedule is deleted.' } },
  notFound: ['maintenance schedule'],
  async handler({ provider, parameters: { scheduleId } }, { db }: Dependencies) {
    const deleted = await db.query(
      'delete from maintenance_schedules where provider = $1 and id = $2 returning id',
      scheduleKey(provider, scheduleId),
    );
    if (deleted.length === 0) throw notFound('maintenance schedule');
    return { status: 204 };
  },
});
