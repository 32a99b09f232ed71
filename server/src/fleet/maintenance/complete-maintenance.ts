import Type, { type Static } from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { addMonths } from '../../platform/time/months.ts';
import type { Dependencies } from '../dependencies.ts';
import { estimateInspections } from '../inspection/estimate-inspections.ts';
import { requireVehicle } from '../vehicles/vehicle-scope.ts';
import { dateOf } from './forecast.ts';
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
  holdReport,
  overwriteReport,
  type ReportPath,
  readReport,
  reportParameters,
  type StoredReport,
} from './maintenance-store.ts';
import { maxOdometer } from './odometer.ts';
import { planMaintenance } from './plan-maintenance.ts';

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
type Done = Static<typeof CompleteMaintenanceSchema>;

export const completeMaintenance = operation({
  id: 'completeMaintenance',
  method: 'POST',
  path: '/{vehicleId}/maintenance/{reportId}/done',
  tag: 'Maintenance',
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
    rules: ({ date }) => futureIssues('date', date),
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
  handler({ provider, parameters, header, body }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      await requireVehicle(tx, provider, parameters.vehicleId, 'for key share');
      const { report } = await readReport(tx, provider, parameters);
      const roll = report.source === 'inspection' ? passInspection : complete;
      const next = await roll(tx, provider, parameters, body, header('if-match'));
      if (!next) return { status: 204 };
      return { status: 200, headers: { etag: etagOf(next.version) }, body: next.report };
    });
  },
});

/** Rolls a report on, or closes it. */
async function complete(
  tx: Queryable,
  provider: ProviderRef,
  path: ReportPath,
  done: Done,
  ifMatch: string | undefined,
): Promise<StoredReport | undefined> {
  const report = await holdReport(tx, provider, path, ifMatch);
  const current = await currentOdometer(tx, provider, path.vehicleId);
  const completed = completedReport(report, done, current);
  const { intervalMonths, intervalDistance } = report;
  if (intervalMonths === undefined && intervalDistance === undefined) {
    await closeReport(tx, provider, completed);
    return undefined;
  }
  // Where nobody knows the odometer, it was done when it was due.
  const from = Math.min(completed.lastDoneOdometer ?? report.dueOdometer ?? 0, maxOdometer);
  return overwriteReport(tx, provider, path, {
    ...completed,
    dueDate:
      intervalMonths === undefined ? undefined : addMonths(completed.lastDoneDate, intervalMonths),
    dueOdometer: intervalDistance === undefined ? undefined : from + intervalDistance,
  });
}

function completedReport(report: MaintenanceReport, done: Done, current: number | undefined) {
  return {
    ...report,
    lastDoneDate: done.date ?? dateOf(new Date()),
    lastDoneOdometer: done.odometer ?? current,
    notes: done.notes ?? report.notes,
  };
}

/** The record of the inspection comes before the report, in the order in which estimates are made. */
async function passInspection(
  tx: Queryable,
  provider: ProviderRef,
  path: ReportPath,
  done: Done,
  ifMatch: string | undefined,
): Promise<StoredReport | undefined> {
  await tx.query(
    `update inspections set version = version + 1, updated_at = now(), passed_on = $3
     where provider = $1 and vehicle_id = $2`,
    [provider.id, path.vehicleId, done.date ?? dateOf(new Date())],
  );
  await estimateInspections(tx, provider.id, [path.vehicleId]);
  const report = await holdReport(tx, provider, path, ifMatch);
  const current = await currentOdometer(tx, provider, path.vehicleId);
  await overwriteReport(tx, provider, path, completedReport(report, done, current));
  await planMaintenance(tx, provider.id, [path.vehicleId]);
  return findReport(tx, provider, path);
}
