import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import type { RuleContext } from '../../platform/http/request-part.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { futureIssues } from '../profile/public.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import { defaultReminderDays, defaultReminderDistance } from './planning/forecast.ts';
import { maxDueOdometer, maxInterval, maxOdometer } from './planning/odometer-limits.ts';

export const types = ['service', 'inspection', 'repair', 'tyres', 'other'] as const;
export const statuses = ['planned', 'due_soon', 'overdue'] as const;
export const sources = ['manual', 'schedule', 'vehicle', 'inspection'] as const;

/** Open ones that were planned by hand: each change forecasts all of a vehicle's. */
export const maxReportsOfVehicle = 1_000;

export const title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What is to be done, in a few words.',
  examples: ['Big service'],
});
const type = { type: 'string', description: 'What kind of work it is.' } as const;
export const typeSchema = Type.Enum([...types], type);
export const typeRequestSchema = Type.Optional(
  Type.Enum([...types], { ...type, default: 'service' }),
);
export const intervals = {
  intervalMonths: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_200,
      description: 'Months from one time to the next.',
      examples: [24],
    }),
  ),
  intervalDistance: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: maxInterval,
      description: 'Distance from one time to the next in km.',
      examples: [30_000],
    }),
  ),
  calendarMonths: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 12 }), {
      minItems: 1,
      maxItems: 12,
      uniqueItems: true,
      description:
        'Months of the calendar in which it is to be done, 1 for January, instead of intervalMonths: due on the last day of ' +
        'each. What is done in the month before counts for it.',
      examples: [[4, 10]],
    }),
  ),
};
export const reminderWindow = {
  reminderDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_650,
      description: `For how many days before it is due it is due soon; ${defaultReminderDays} when left out.`,
      examples: [45],
    }),
  ),
  reminderDistance: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maxInterval,
      description: `For how many km before it is due it is due soon; ${defaultReminderDistance} when left out.`,
      examples: [2_000],
    }),
  ),
};
export const notes = Type.Optional(
  Type.String({ maxLength: 10_000, description: 'What else there is to say.' }),
);

const date = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: [example] }));
export const odometer = (description: string, example: number, maximum = maxOdometer) =>
  Type.Optional(Type.Number({ minimum: 0, maximum, description, examples: [example] }));

const properties = {
  title,
  dueDate: date('The day on which it is due.', '2027-03-02'),
  dueOdometer: odometer('The odometer at which it is due, in km.', 60_000, maxDueOdometer),
  ...intervals,
  ...reminderWindow,
  lastDoneDate: date('When it was last done.', '2025-03-02'),
  lastDoneOdometer: odometer('The odometer at which it was last done, in km.', 30_000),
  notes,
};

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('report');

/** Unknown values are absent. */
export const MaintenanceReportSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      description: 'The vehicle that it is planned for.',
      examples: [exampleVehicle.asset.id],
    }),
    ...properties,
    type: typeSchema,
    status: Type.Enum([...statuses, 'done'], {
      type: 'string',
      description:
        '`overdue`: the day has passed, or the odometer. `due_soon`: within 30 days or 1,500 km, or as its reminder window says. ' +
        'Otherwise `planned`. A report that was done and has no next time is `done`: it is not in the plan, and can be read.',
    }),
    forecastDate: date(
      'The day on which the vehicle will have run to dueOdometer, by its average of the last 90 days.',
      '2027-02-11',
    ),
    source: Type.Enum([...sources], {
      type: 'string',
      description:
        'What it comes from: a person, a schedule of the asset provider, the vehicle’s own telemetry, or the estimate of its ' +
        'periodic inspection.',
    }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was planned.' }),
    updatedAt: Type.String({
      format: 'date-time',
      description: 'When it last changed; a new forecast or status is no change.',
    }),
  },
  { $id: 'MaintenanceReport', additionalProperties: false },
);
export type MaintenanceReport = Static<typeof MaintenanceReportSchema>;

export const MaintenanceReportRequestSchema = Type.Object(
  {
    ...properties,
    type: typeRequestSchema,
    id: readOnly,
    vehicleId: readOnly,
    status: readOnly,
    forecastDate: readOnly,
    source: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'MaintenanceReportRequest', additionalProperties: false },
);
export type MaintenanceReportRequest = Static<typeof MaintenanceReportRequestSchema>;

/** The last time cannot be in the future. */
export function reportIssues(
  request: MaintenanceReportRequest,
  context: RuleContext,
): ValidationIssue[] {
  return [
    ...futureIssues('lastDoneDate', request.lastDoneDate, context),
    ...calendarIssues(request),
  ];
}

/** When it is due is required in some form. */
export function dueIssues(request: MaintenanceReportRequest): ValidationIssue[] {
  const { dueDate, dueOdometer, intervalMonths, intervalDistance, calendarMonths } = request;
  const due = [dueDate, dueOdometer, intervalMonths, intervalDistance, calendarMonths];
  if (due.some((one) => one !== undefined)) return [];
  const detail =
    'One of dueDate, dueOdometer, intervalMonths and intervalDistance, or calendarMonths, is required.';
  return [{ pointer: '/dueDate', detail }];
}

export function calendarIssues({
  intervalMonths,
  calendarMonths,
}: Pick<MaintenanceReportRequest, 'intervalMonths' | 'calendarMonths'>): ValidationIssue[] {
  if (intervalMonths === undefined || calendarMonths === undefined) return [];
  const detail = 'calendarMonths cannot be combined with intervalMonths: leave out one of them.';
  return [{ pointer: '/calendarMonths', detail }];
}

export const exampleRequest = {
  title: 'Big service',
  type: 'service' as const,
  dueDate: '2027-03-02',
  dueOdometer: 60_000,
  intervalMonths: 24,
  intervalDistance: 30_000,
  lastDoneDate: '2025-03-02',
  lastDoneOdometer: 30_000,
  notes: 'With the brake fluid.',
} satisfies MaintenanceReportRequest;

export const exampleReport: MaintenanceReport = {
  id: '460b7dc4-9ee9-4c52-ae91-8c4b312f67be',
  vehicleId: exampleVehicle.asset.id,
  ...exampleRequest,
  status: 'planned',
  forecastDate: '2027-02-11',
  source: 'manual',
  createdAt: '2026-11-02T09:15:00.000Z',
  updatedAt: '2026-11-02T09:15:00.000Z',
};
