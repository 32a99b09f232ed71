import Type from 'typebox';
import { etagOf } from '../../platform/http/etag.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { dateOf } from '../../platform/time/instant.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleReport,
  futureIssues,
  ifMatchHeader,
  type MaintenanceReport,
  MaintenanceReportSchema,
  notes,
  odometer,
} from './maintenance-report.ts';
import {
  closeReport,
  currentOdometer,
  findReport,
  lockReport,
  overwriteReport,
  reportParameters,
} from './maintenance-store.ts';
import { dueAfter } from './planning/due.ts';
import { maxOdometer } from './planning/odometer-limits.ts';
import type { PlanContext } from './refresh-maintenance.ts';

const CompleteMaintenanceSchema = Type.Object(
  {
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: 'When it was done; today when left out.',
        examples: ['2025-12-18'],
      }),
    ),
    odometer: odometer(
      'The odometer at which it was done, in km; the vehicle’s own when left out.',
      45_180,
    ),
    notes,
  },
  { $id: 'CompleteMaintenanceRequest', additionalProperties: false },
);

export const completeMaintenance = operation({
  id: 'completeMaintenance',
  method: 'POST',
  path: '/{vehicleId}/maintenance/{reportId}/done',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Say that maintenance was done',
  description:
    'What has an interval is rolled on: it is due again an interval after the day and the odometer at which it was done. ' +
    'What has none leaves the plan. The vehicle’s own service leaves it until the vehicle tells of another one. Of a periodic ' +
    'inspection, the day is recorded as the last that was passed, and the next is estimated. Notes replace those of the report.',
  parameters: reportParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: CompleteMaintenanceSchema,
    required: false,
    rules: ({ date }, context) => futureIssues('date', date, context),
    examples: {
      workshop: {
        summary: 'As the workshop says',
        value: { date: '2025-12-18', odometer: 45_180, notes: 'Rear brake pads are at 4 mm.' },
      },
      now: { summary: 'Just now', value: {} },
    },
  },
  responses: {
    200: {
      description: 'The report, for the next time.',
      schema: MaintenanceReportSchema,
      example: {
        ...exampleReport,
        dueDate: '2027-12-18',
        dueOdometer: 75_180,
        lastDoneDate: '2025-12-18',
        lastDoneOdometer: 45_180,
        notes: 'Rear brake pads are at 4 mm.',
      },
      headers: etagHeader,
    },
    204: { description: 'It is done, and there is no next time in the plan.' },
  },
  notFound: ['vehicle', 'maintenance report'],
  problems: changedMeanwhile,
  handler({ provider, parameters, header, body }, { db, events, clock }: Dependencies) {
    return db.transaction(async (tx) => {
      const { vehicleId } = parameters;
      const report = await lockReport(tx, provider, parameters, header('if-match'));
      const completed = {
        ...report,
        lastDoneDate: body.date ?? dateOf(clock.now()),
        lastDoneOdometer: body.odometer ?? (await currentOdometer(tx, provider, vehicleId)),
        notes: body.notes ?? report.notes,
      };
      await closeOrReschedule({ tx, clock }, provider, completed);
      await events.publish(tx, 'maintenanceCompleted', {
        providerId: provider.id,
        vehicleId,
        source: report.source,
        date: completed.lastDoneDate,
      });
      const next = await findReport(tx, provider, parameters);
      if (!next) return { status: 204 };
      return { status: 200, headers: { etag: etagOf(next.version) }, body: next.report };
    });
  },
});

/** An inspection stays until the next is estimated; a report with an interval is due again; any other is closed. */
async function closeOrReschedule(
  context: PlanContext,
  provider: ProviderRef,
  completed: MaintenanceReport & { lastDoneDate: string },
): Promise<void> {
  const { id: reportId, vehicleId, source, intervalMonths, intervalDistance } = completed;
  const path = { vehicleId, reportId };
  if (source === 'inspection') await overwriteReport(context, provider, path, completed);
  else if (intervalMonths === undefined && intervalDistance === undefined) {
    await closeReport(context, provider, completed);
  } else {
    // Without a known odometer, it is taken for done at the odometer at which it was due.
    const odometer = Math.min(
      completed.lastDoneOdometer ?? completed.dueOdometer ?? 0,
      maxOdometer,
    );
    await overwriteReport(context, provider, path, {
      ...completed,
      dueDate: undefined,
      dueOdometer: undefined,
      ...dueAfter(completed, completed.lastDoneDate, odometer),
    });
  }
}
