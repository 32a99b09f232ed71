import { isDeepStrictEqual } from 'node:util';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleSchedule,
  exampleScheduleRequest,
  ifMatchHeader,
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
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite a maintenance schedule',
  description:
    'What the body leaves out is cleared. Within moments its reports take over the title, the type and the intervals; by another ' +
    'interval they are due anew, from the last time that they were done. Vehicles that it is no longer for lose theirs, and ' +
    'have them back as they were when it is for them again. Notes are those of new reports.',
  parameters: scheduleParameter,
  requestHeaders: ifMatchHeader,
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
      headers: etagHeader,
    },
  },
  notFound: ['maintenance schedule'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header, body }, { db, jobs, clock }: Dependencies) {
    const key = scheduleKey(provider, parameters.scheduleId);
    return db.transaction(async (tx) => {
      const [previous] = await tx.query<ScheduleRow>(lockSchedule, key);
      if (!previous) throw notFound('maintenance schedule');
      requireMatch(header('if-match'), previous.version);
      const values = [...key, clock.now(), ...writtenValues(body)];
      const [row] = (await tx.query<ScheduleRow>(updateSchedule, values)) as [ScheduleRow];
      if (hasChanged(previous, row)) await jobs.add(tx, planFleet, { provider: provider.id });
      return { status: 200, headers: { etag: etagOf(row.version) }, body: scheduleOf(row) };
    });
  },
});

function hasChanged(before: ScheduleRow, after: ScheduleRow): boolean {
  return writtenColumns.some((name) => !isDeepStrictEqual(before[name], after[name]));
}

const lockSchedule = `
  select ${scheduleColumns} from maintenance_schedules m where m.provider = $1 and m.id = $2 for no key update`;

const updateSchedule = `
  update maintenance_schedules m
  set version = version + 1, updated_at = $3,
    ${writtenColumns.map((name, index) => `${name} = $${index + 4}`).join(', ')}
  where m.provider = $1 and m.id = $2
  returning ${scheduleColumns}`;
