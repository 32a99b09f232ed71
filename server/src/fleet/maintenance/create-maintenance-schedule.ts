import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  etagHeader,
  exampleSchedule,
  exampleScheduleRequest,
  MaintenanceScheduleRequestSchema,
  MaintenanceScheduleSchema,
  maxSchedules,
  type ScheduleRow,
  scheduleColumns,
  scheduleIssues,
  scheduleOf,
  writtenColumns,
  writtenValues,
} from './maintenance-schedule.ts';
import { planFleet } from './plan-fleet.ts';

export const createMaintenanceSchedule = operation({
  id: 'createMaintenanceSchedule',
  method: 'POST',
  path: '/maintenance-schedules',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Make a maintenance schedule',
  description:
    'Plans something for all vehicles in service, or for those of a make or a model, those included that come later. Each gets ' +
    'a report within moments: due by months on an anniversary of its first registration, the first that is not past, or in ' +
    'the next of the months of the calendar that it names, and by distance at the next multiple above its odometer.',
  parameters: {},
  body: {
    schema: MaintenanceScheduleRequestSchema,
    required: true,
    rules: scheduleIssues,
    examples: {
      service: { summary: 'For one model', value: exampleScheduleRequest },
      tyres: {
        summary: 'For all vehicles',
        value: {
          title: 'Change of tyres',
          type: 'tyres',
          calendarMonths: [4, 10],
          reminderDays: 45,
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The schedule, new.',
      schema: MaintenanceScheduleSchema,
      example: exampleSchedule,
      headers: { Location: 'The path of the schedule.', ...etagHeader },
    },
  },
  notFound: [],
  problems: { 409: 'There are as many schedules as an asset provider may have.' },
  async handler({ provider, body }, { db, jobs, clock }: Dependencies) {
    const row = await db.transaction(async (tx) => {
      // Serializes those of the provider, whose number is limited.
      await tx.query('select from providers where id = $1 for no key update', [provider.id]);
      const values = [provider.id, clock.now(), maxSchedules, ...writtenValues(body)];
      const [created] = await tx.query<ScheduleRow>(insertSchedule, values);
      if (!created)
        throw new Problem(409, 'too-many-schedules', 'There are too many maintenance schedules', {
          detail: `An asset provider has at most ${maxSchedules}: delete one first.`,
        });
      await jobs.add(tx, planFleet, { provider: provider.id });
      return created;
    });
    const location = locationOf(provider, 'maintenance-schedules', row.id);
    return {
      status: 201,
      headers: { location, etag: etagOf(row.version) },
      body: scheduleOf(row),
    };
  },
});

const insertSchedule = `
  insert into maintenance_schedules as m (provider, created_at, updated_at, ${writtenColumns.join(', ')})
  select $1, $2, $2, ${writtenColumns.map((_, index) => `$${index + 4}`).join(', ')}
  where (select count(*) from maintenance_schedules where provider = $1) < $3
  returning ${scheduleColumns}`;
