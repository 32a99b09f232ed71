import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { type MaintenanceReport, sources, statuses, types } from './maintenance-report.ts';

export const reportFields = fieldsOf({
  id: ['uuid', 'r.id'],
  vehicleId: ['text', 'r.vehicle_id'],
  title: ['text', 'r.title'],
  type: ['text', 'r.type', { values: types }],
  status: ['text', 'r.status', { values: statuses }],
  dueDate: ['date', 'r.due_date'],
  dueOdometer: ['number', 'r.due_odometer'],
  forecastDate: ['date', 'r.forecast_date'],
  intervalMonths: ['number', 'r.interval_months'],
  intervalDistance: ['number', 'r.interval_distance'],
  calendarMonths: ['number', 'month', { anyOf: 'from unnest(r.calendar_months) month where true' }],
  reminderDays: ['number', 'r.reminder_days'],
  reminderDistance: ['number', 'r.reminder_distance'],
  lastDoneDate: ['date', 'r.last_done_date'],
  lastDoneOdometer: ['number', 'r.last_done_odometer'],
  notes: ['text', 'r.notes'],
  source: ['text', 'r.source', { values: sources }],
  createdAt: ['date-time', 'r.created_at'],
  updatedAt: ['date-time', 'r.updated_at'],
});

export const reportColumns =
  "r.id, r.version, r.vehicle_id, r.title, r.type, case when r.closed_at is null then r.status else 'done' end as status, " +
  'r.due_date, r.due_odometer, r.forecast_date, r.interval_months, ' +
  'r.interval_distance, r.calendar_months, r.reminder_days, r.reminder_distance, r.last_done_date, r.last_done_odometer, r.notes, r.source, r.created_at, r.updated_at';

/** Excludes withdrawn reports, and closed ones. */
export const openReports =
  '(select * from maintenance_reports where closed_at is null and not withdrawn) r';

/** Also those that were done and have no next time. */
export const knownReports =
  '(select * from maintenance_reports where (closed_at is null or done) and not withdrawn) r';

/** Soonest first; reports without a date last. */
export const plan: Searchable = {
  fields: reportFields,
  columns: reportColumns,
  from: openReports,
  textColumns: ['r.title', 'r.notes'],
  defaultOrder: ['r.soonest', 'r.vehicle_id'],
  id: 'r.id',
};

export type ReportRow = {
  id: string;
  version: number;
  vehicle_id: string;
  title: string;
  type: MaintenanceReport['type'];
  status: MaintenanceReport['status'];
  due_date: string | null;
  due_odometer: number | null;
  forecast_date: string | null;
  interval_months: number | null;
  interval_distance: number | null;
  calendar_months: number[] | null;
  reminder_days: number | null;
  reminder_distance: number | null;
  last_done_date: string | null;
  last_done_odometer: number | null;
  notes: string | null;
  source: MaintenanceReport['source'];
  created_at: string;
  updated_at: string;
};

export function reportOf(row: ReportRow): MaintenanceReport {
  return {
    id: row.id,
    vehicleId: row.vehicle_id,
    title: row.title,
    type: row.type,
    status: row.status,
    ...(row.due_date !== null && { dueDate: row.due_date }),
    ...(row.due_odometer !== null && { dueOdometer: row.due_odometer }),
    ...(row.forecast_date !== null && { forecastDate: row.forecast_date }),
    ...(row.interval_months !== null && { intervalMonths: row.interval_months }),
    ...(row.interval_distance !== null && { intervalDistance: row.interval_distance }),
    ...(row.calendar_months !== null && { calendarMonths: row.calendar_months }),
    ...(row.reminder_days !== null && { reminderDays: row.reminder_days }),
    ...(row.reminder_distance !== null && { reminderDistance: row.reminder_distance }),
    ...(row.last_done_date !== null && { lastDoneDate: row.last_done_date }),
    ...(row.last_done_odometer !== null && { lastDoneOdometer: row.last_done_odometer }),
    ...(row.notes !== null && { notes: row.notes }),
    source: row.source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
