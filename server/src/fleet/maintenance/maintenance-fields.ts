import type { Field } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/search.ts';
import { type MaintenanceReport, sources, statuses, types } from './maintenance-report.ts';

/** What reports can be filtered and sorted by. */
export const reportFields: readonly Field[] = [
  { path: 'id', type: 'uuid', column: 'r.id' },
  { path: 'vehicleId', type: 'text', column: 'r.vehicle_id' },
  { path: 'title', type: 'text', column: 'r.title' },
  { path: 'type', type: 'text', column: 'r.type', values: types },
  { path: 'status', type: 'text', column: 'r.status', values: statuses },
  { path: 'dueDate', type: 'date', column: 'r.due_date' },
  { path: 'dueOdometer', type: 'number', column: 'r.due_odometer' },
  { path: 'forecastDate', type: 'date', column: 'r.forecast_date' },
  { path: 'intervalMonths', type: 'number', column: 'r.interval_months' },
  { path: 'intervalDistance', type: 'number', column: 'r.interval_distance' },
  { path: 'lastDoneDate', type: 'date', column: 'r.last_done_date' },
  { path: 'lastDoneOdometer', type: 'number', column: 'r.last_done_odometer' },
  { path: 'notes', type: 'text', column: 'r.notes' },
  { path: 'source', type: 'text', column: 'r.source', values: sources },
  { path: 'createdAt', type: 'date-time', column: 'r.created_at' },
  { path: 'updatedAt', type: 'date-time', column: 'r.updated_at' },
];

export const reportColumns =
  'r.id, r.version, r.vehicle_id, r.title, r.type, r.status, r.due_date, r.due_odometer, r.forecast_date, r.interval_months, ' +
  'r.interval_distance, r.last_done_date, r.last_done_odometer, r.notes, r.source, r.created_at, r.updated_at';

/** What is in the plan: a report that is closed or withdrawn is not there for anyone. */
export const openReports =
  '(select * from maintenance_reports where closed_at is null and not withdrawn) r';

/** Soonest first, and last what nobody can foresee. */
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
    ...(row.last_done_date !== null && { lastDoneDate: row.last_done_date }),
    ...(row.last_done_odometer !== null && { lastDoneOdometer: row.last_done_odometer }),
    ...(row.notes !== null && { notes: row.notes }),
    source: row.source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
