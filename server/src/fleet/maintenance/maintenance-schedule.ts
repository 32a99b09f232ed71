import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import {
  calendarIssues,
  intervals,
  notes,
  reminderWindow,
  title,
  typeRequestSchema,
  typeSchema,
  types,
} from './maintenance-report.ts';

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples: [example] }));

const properties = {
  title,
  ...intervals,
  ...reminderWindow,
  vendor: text('The make that it is for, in any case; every make when left out.', 'VW'),
  model: text('The model that it is for, in any case; every model when left out.', 'ID.3'),
  notes,
};

/** Unset values are absent. */
export const MaintenanceScheduleSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    ...properties,
    type: typeSchema,
    createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'MaintenanceSchedule', additionalProperties: false },
);
type MaintenanceSchedule = Static<typeof MaintenanceScheduleSchema>;

export const MaintenanceScheduleRequestSchema = Type.Object(
  {
    ...properties,
    type: typeRequestSchema,
    id: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'MaintenanceScheduleRequest', additionalProperties: false },
);
type MaintenanceScheduleRequest = Static<typeof MaintenanceScheduleRequestSchema>;

export function scheduleIssues(request: MaintenanceScheduleRequest): ValidationIssue[] {
  const { intervalMonths, intervalDistance, calendarMonths } = request;
  const issues = calendarIssues(request);
  if ([intervalMonths, intervalDistance, calendarMonths].every((one) => one === undefined)) {
    const detail = 'One of intervalMonths, intervalDistance and calendarMonths is required.';
    issues.push({ pointer: '/intervalMonths', detail });
  }
  return issues;
}

export const exampleScheduleRequest = {
  title: 'Annual service',
  type: 'service' as const,
  intervalMonths: 12,
  intervalDistance: 15_000,
  vendor: 'VW',
  model: 'ID.3',
  notes: 'At the workshop in Mitte.',
} satisfies MaintenanceScheduleRequest;

export const exampleSchedule: MaintenanceSchedule = {
  id: 'fae96f05-ddfa-47cc-8811-49006c198d0b',
  ...exampleScheduleRequest,
  createdAt: '2026-11-01T06:00:00.000Z',
  updatedAt: '2026-11-01T06:00:00.000Z',
};

/** So many may an asset provider have. */
export const maxSchedules = 100;

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('schedule');

/** The path parameter of every operation on one schedule. */
export const scheduleParameter = {
  scheduleId: uuidParameter('The id of the schedule, as the service made it.', exampleSchedule.id),
};

/** The key of a schedule, as the values of $1 and $2. */
export function scheduleKey(provider: ProviderRef, scheduleId: string): string[] {
  return [provider.id, requireUuid(scheduleId, 'maintenance schedule')];
}

export const scheduleFields = fieldsOf({
  id: ['uuid', 'm.id'],
  title: ['text', 'm.title'],
  type: ['text', 'm.type', { values: types }],
  intervalMonths: ['number', 'm.interval_months'],
  intervalDistance: ['number', 'm.interval_distance'],
  calendarMonths: ['number', 'month', { anyOf: 'from unnest(m.calendar_months) month where true' }],
  reminderDays: ['number', 'm.reminder_days'],
  reminderDistance: ['number', 'm.reminder_distance'],
  vendor: ['text', 'm.vendor'],
  model: ['text', 'm.model'],
  notes: ['text', 'm.notes'],
  createdAt: ['date-time', 'm.created_at'],
  updatedAt: ['date-time', 'm.updated_at'],
});

export const scheduleColumns =
  'm.id, m.version, m.title, m.type, m.interval_months, m.interval_distance, m.calendar_months, m.reminder_days, m.reminder_distance, m.vendor, m.model, m.notes, m.created_at, ' +
  'm.updated_at';

export type ScheduleRow = {
  id: string;
  version: number;
  title: string;
  type: MaintenanceSchedule['type'];
  interval_months: number | null;
  interval_distance: number | null;
  calendar_months: number[] | null;
  reminder_days: number | null;
  reminder_distance: number | null;
  vendor: string | null;
  model: string | null;
  notes: string | null;
  created_at: string;
  updated_at: string;
};

export function scheduleOf(row: ScheduleRow): MaintenanceSchedule {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    ...(row.interval_months !== null && { intervalMonths: row.interval_months }),
    ...(row.interval_distance !== null && { intervalDistance: row.interval_distance }),
    ...(row.calendar_months !== null && { calendarMonths: row.calendar_months }),
    ...(row.reminder_days !== null && { reminderDays: row.reminder_days }),
    ...(row.reminder_distance !== null && { reminderDistance: row.reminder_distance }),
    ...(row.vendor !== null && { vendor: row.vendor }),
    ...(row.model !== null && { model: row.model }),
    ...(row.notes !== null && { notes: row.notes }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The columns that a client writes. */
export const writtenColumns = [
  'title',
  'type',
  'interval_months',
  'interval_distance',
  'calendar_months',
  'reminder_days',
  'reminder_distance',
  'vendor',
  'model',
  'notes',
] as const;

/** The values of those columns; what the request leaves out is cleared. */
export function writtenValues(request: MaintenanceScheduleRequest): unknown[] {
  return [
    request.title,
    request.type ?? 'service',
    request.intervalMonths ?? null,
    request.intervalDistance ?? null,
    request.calendarMonths?.toSorted((a, b) => a - b) ?? null,
    request.reminderDays ?? null,
    request.reminderDistance ?? null,
    request.vendor ?? null,
    request.model ?? null,
    request.notes ?? null,
  ];
}
