import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  exampleSchedule,
  exampleScheduleRequest,
  MaintenanceScheduleRequestSchema,
  MaintenanceScheduleSchema,
  type ScheduleRow,
  scheduleColumns,
  scheduleIssues,
  scheduleKey,
  scheduleOf,
  scheduleParameter,
  writtenColumns,
  writtenValues,
} from './maintenance-schedule.ts';
import { planFleet } from './plan-fleet.ts';

export const putMaintenanceSchedule = operation({
  id: 'putMaintenanceSchedule',
  method: 'PUT',
  path: '/maintenance-schedules/{scheduleId}',
  tag: 'Maintenance',
  origin: 'motorpool',
  summary: 'Overwrite a maintenance schedule',
  description:
    'What the body leaves out is cleared. Within moments its reports take over the title, the type and the intervals; by another ' +
    'interval they are due anew, from the last time that they were done. Vehicles that it is no longer for lose theirs, and ' +
    'have them back as they were when it is for them again. Notes are those of new reports.',
  parameters: scheduleParameter,
  body: {
    schema: MaintenanceScheduleRequestSchema,
    required: true,
    rules: scheduleIssues,
    examples: { service: { summary: 'For one model', value: exampleScheduleRequest } },
  },
  responses: {
    200: {
      description: 'The schedule, overwritten.',
      schema: MaintenanceScheduleSchema,
      example: exampleSchedule,
    },
  },
  notFound: ['maintenance schedule'],
  async handler({ provider, parameters, body }, { db, jobs }: Dependencies) {
    const key = scheduleKey(provider, parameters.scheduleId);
    return db.transaction(async (tx) => {
      const [row] = await tx.query<ScheduleRow>(update, [...key, ...writtenValues(body)]);
      if (!row) throw notFound('maintenance schedule');
      await jobs.add(tx, planFleet, { provider: provider.id });
      return { status: 200, body: scheduleOf(row) };
    });
  },
});

const update = `
  update maintenance_schedules m
  set ${writtenColumns.map((name, index) => `${name} = $${index + 3}`).join(', ')}, updated_at = now()
  where m.provider = $1 and m.id = $2
  returning ${scheduleColumns}`;
