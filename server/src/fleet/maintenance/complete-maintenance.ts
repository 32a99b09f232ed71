import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { uuidFor } from '../../platform/random/uuid.ts';
import { nextDay } from '../../platform/time/months.ts';
import { startOfDateIn } from '../../platform/time/time-zone.ts';
import { AnnouncedFileSchema } from '../announced-file.ts';
import { CostSchema, currencyIssues } from '../cost.ts';
import type { Dependencies } from '../dependencies.ts';
import { futureIssues, readCalendar, todayOf } from '../profile/public.ts';
import { odometerAt } from '../telemetry/public.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleReport,
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
      'The odometer at which it was done, in km; when left out, that of the day by the history of the vehicle.',
      45_180,
    ),
    notes,
    cost: Type.Optional(CostSchema),
    files: Type.Optional(
      Type.Array(AnnouncedFileSchema, {
        maxItems: 20,
        description:
          'Files of the entry in the logbook, such as the invoice: announced, to be uploaded with uploadLogbookFile.',
      }),
    ),
  },
  { $id: 'CompleteMaintenanceRequest', additionalProperties: false },
);

const entryHeader = { Location: 'The path of the entry in the logbook.' };

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
    'What has none leaves the plan. The vehicle’s own service leaves it until the vehicle tells of another one. If it has told of ' +
    'the next one already, the service before is meant: with any date while the next is neither due soon nor overdue, later with ' +
    'one on or before the day on which it told of it. The report then stays, due as the vehicle says; and so it does when a date is said again, or an earlier one. Of a periodic inspection, the day is ' +
    'recorded as the last that was passed, and the next is estimated. Notes replace those of the report. ' +
    'An entry of the category `service` is written into the logbook, with the cost, the odometer and the files, and a link to the ' +
    'report; said again of the same day, it is the same entry. A date before that of the last time writes the entry alone: the ' +
    'report and the inspection stay as they are, and are corrected by overwriting them.',
  parameters: reportParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: CompleteMaintenanceSchema,
    required: false,
    rules: (body, context) => [
      ...futureIssues('date', body.date, context),
      ...currencyIssues(body),
    ],
    today: todayOf,
    examples: {
      workshop: {
        summary: 'As the workshop says',
        value: {
          date: '2025-12-18',
          odometer: 45_180,
          notes: 'Rear brake pads are at 4 mm.',
          cost: { amount: 28_450, currency: 'EUR' },
          files: [{ filename: 'invoice.pdf', contentType: 'application/pdf' }],
        },
      },
      now: { summary: 'Just now', value: {} },
    },
  },
  responses: {
    200: {
      description:
        'The report, for the next time; due as before where the vehicle had told of the next service already, and where the ' +
        'date is before that of the last time.',
      schema: MaintenanceReportSchema,
      example: {
        ...exampleReport,
        dueDate: '2027-12-18',
        dueOdometer: 75_180,
        lastDoneDate: '2025-12-18',
        lastDoneOdometer: 45_180,
        notes: 'Rear brake pads are at 4 mm.',
      },
      headers: { ...entryHeader, ...etagHeader },
    },
    204: {
      description: 'It is done, and there is no next time in the plan.',
      headers: entryHeader,
    },
  },
  notFound: ['vehicle', 'maintenance report'],
  problems: { ...changedMeanwhile, 409: 'The entry in the logbook would have too many files.' },
  async handler({ provider, parameters, header, body }, { db, events, clock }: Dependencies) {
    const calendar = await readCalendar(db, provider.id, clock.now());
    return db.transaction(async (tx) => {
      const { vehicleId } = parameters;
      const report = await lockReport(tx, provider, parameters, header('if-match'));
      const date = body.date ?? calendar.today;
      const isSaidAgain = report.lastDoneDate === date;
      const completed = {
        ...report,
        lastDoneDate: date,
        lastDoneOdometer:
          body.odometer ??
          (isSaidAgain ? report.lastDoneOdometer : undefined) ??
          (await odometerOf(tx, provider, vehicleId, date, calendar)),
        notes: body.notes ?? report.notes,
      };
      // What was done before the last time moves nothing of the next.
      if (date >= (report.lastDoneDate ?? date))
        await closeOrReschedule({ tx, clock }, provider, completed, {
          // It would be taken for done at the odometer at which it is due by now.
          isDueAsBefore: isSaidAgain && completed.lastDoneOdometer === undefined,
        });
      const entryId = uuidFor(`${provider.id}/${vehicleId}/${report.id}/${date}`);
      await events.publish(tx, 'maintenanceCompleted', {
        providerId: provider.id,
        vehicleId,
        reportId: report.id,
        entryId,
        source: report.source,
        title: report.title,
        type: report.type,
        date,
        odometer: completed.lastDoneOdometer,
        isOdometerGiven: body.odometer !== undefined,
        notes: body.notes,
        cost: body.cost,
        files: body.files ?? [],
      });
      const headers: Record<string, string> = {
        location: locationOf(provider, vehicleId, 'logbook', entryId),
      };
      const next = await findReport(tx, provider, parameters);
      if (!next) return { status: 204, headers };
      return {
        status: 200,
        headers: { ...headers, etag: etagOf(next.version) },
        body: next.report,
      };
    });
  },
});

/** The odometer of the day by the history; today, and without a history, the vehicle's own. */
async function odometerOf(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  date: string,
  { timeZone, today }: { timeZone: string; today: string },
): Promise<number | undefined> {
  const end = startOfDateIn(timeZone, nextDay(date));
  const past = date < today ? await odometerAt(tx, provider.id, vehicleId, end) : undefined;
  if (past === undefined) return currentOdometer(tx, provider, vehicleId);
  return Math.min(past, maxOdometer);
}

/** An inspection stays until the next is estimated; a report with an interval is due again; any other is closed. */
async function closeOrReschedule(
  context: PlanContext,
  provider: ProviderRef,
  completed: MaintenanceReport & { lastDoneDate: string },
  { isDueAsBefore }: { isDueAsBefore: boolean },
): Promise<void> {
  const { id: reportId, vehicleId, source } = completed;
  const { intervalMonths, intervalDistance, calendarMonths } = completed;
  const intervals = [intervalMonths, intervalDistance, calendarMonths];
  const path = { vehicleId, reportId };
  if (source === 'inspection') await overwriteReport(context, provider, path, completed);
  else if (intervals.every((interval) => interval === undefined)) {
    await closeReport(context, provider, completed, true);
  } else if (isDueAsBefore) await overwriteReport(context, provider, path, completed);
  else {
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
