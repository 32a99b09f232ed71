import type { Queryable } from '../../platform/db/database.ts';
import { requireMatch } from '../../platform/http/etag.ts';
import { formats } from '../../platform/http/formats.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { addMonths } from '../../platform/time/months.ts';
import { lockVehicles, requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { openReports, type ReportRow, reportColumns, reportOf } from './maintenance-fields.ts';
import {
  exampleReport,
  type MaintenanceReport,
  type MaintenanceReportRequest,
} from './maintenance-report.ts';
import { bounded } from './odometer.ts';
import { type Planner, refreshMaintenance } from './refresh-maintenance.ts';

/** The path parameters of every operation on one report. */
export const reportParameters = {
  ...vehicleIdParameter,
  reportId: {
    description: 'The id of the report, as the service made it.',
    example: exampleReport.id,
  },
};
export type ReportPath = Record<keyof typeof reportParameters, string>;

export type StoredReport = { report: MaintenanceReport; version: number };

/** Answers 404 when there is no such report in the plan, or no such vehicle. */
export async function readReport(
  db: Queryable,
  provider: ProviderRef,
  path: ReportPath,
): Promise<StoredReport> {
  const stored = await findReport(db, provider, path);
  if (stored) return stored;
  await requireVehicle(db, provider, path.vehicleId);
  throw notFound('maintenance report');
}

export async function findReport(
  db: Queryable,
  provider: ProviderRef,
  { vehicleId, reportId }: ReportPath,
): Promise<StoredReport | undefined> {
  if (!formats.uuid(reportId)) return undefined;
  const [row] = await db.query<ReportRow>(selectReport, [provider.id, vehicleId, reportId]);
  return row && { report: reportOf(row), version: row.version };
}

const selectReport = `
  select ${reportColumns} from ${openReports}
  where r.provider = $1 and r.vehicle_id = $2 and r.id = $3`;

/** Locks the vehicle against others who plan for it, and reads the report; 412 unless that is what If-Match names. */
export async function lockReport(
  tx: Queryable,
  provider: ProviderRef,
  path: ReportPath,
  ifMatch: string | undefined,
): Promise<MaintenanceReport> {
  await lockVehicles(tx, provider.id, [path.vehicleId]);
  const { report, version } = await readReport(tx, provider, path);
  requireMatch(ifMatch, version);
  return report;
}

/** The vehicle's odometer now, within the bounds of what is planned. */
export async function currentOdometer(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
): Promise<number | undefined> {
  const [row] = await tx.query<{ odometer: number | null }>(
    `select ${bounded('s.odometer')} as odometer from vehicle_statuses s
     where s.provider = $1 and s.vehicle_id = $2`,
    [provider.id, vehicleId],
  );
  return row?.odometer ?? undefined;
}

/** What an interval says of when it is due, where the request does not: from the last time, or from now. */
export function withDue(
  request: MaintenanceReportRequest,
  odometer: number | undefined,
  today: string,
): MaintenanceReportRequest {
  const { intervalMonths, intervalDistance, lastDoneDate, lastDoneOdometer } = request;
  const from = lastDoneDate ?? today;
  const fromOdometer = lastDoneOdometer ?? odometer ?? 0;
  return {
    ...(intervalMonths !== undefined && { dueDate: addMonths(from, intervalMonths) }),
    ...(intervalDistance !== undefined && { dueOdometer: fromOdometer + intervalDistance }),
    ...request,
  };
}

/** The columns that a client writes, each with its type. */
export const writtenColumns = [
  ['title', 'text'],
  ['type', 'text'],
  ['due_date', 'date'],
  ['due_odometer', 'double precision'],
  ['interval_months', 'integer'],
  ['interval_distance', 'double precision'],
  ['last_done_date', 'date'],
  ['last_done_odometer', 'double precision'],
  ['notes', 'text'],
] as const;

/** The values of those columns; what the request leaves out is cleared. */
export function writtenValues(request: MaintenanceReportRequest): unknown[] {
  return [
    request.title,
    request.type ?? 'service',
    request.dueDate ?? null,
    request.dueOdometer ?? null,
    request.intervalMonths ?? null,
    request.intervalDistance ?? null,
    request.lastDoneDate ?? null,
    request.lastDoneOdometer ?? null,
    request.notes ?? null,
  ];
}

/** Overwrites a report that is held; answers it as it then is, forecast and all. */
export async function overwriteReport(
  planner: Planner,
  provider: ProviderRef,
  path: ReportPath,
  request: MaintenanceReportRequest,
): Promise<StoredReport> {
  await planner.tx.query(updateReport, [
    provider.id,
    path.vehicleId,
    path.reportId,
    planner.clock.now(),
    ...writtenValues(request),
  ]);
  await refreshMaintenance(planner, provider.id, [path.vehicleId]);
  return readReport(planner.tx, provider, path);
}

const updateReport = `
  update maintenance_reports r
  set version = version + 1, updated_at = $4,
    ${writtenColumns.map(([name], index) => `${name} = $${index + 5}`).join(', ')}
  where r.provider = $1 and r.vehicle_id = $2 and r.id = $3`;

/** Takes a report that is held out of the plan, and keeps what is known of the last time. */
export async function closeReport(
  planner: Planner,
  provider: ProviderRef,
  { id, vehicleId, lastDoneDate, lastDoneOdometer, notes }: MaintenanceReport,
): Promise<void> {
  await planner.tx.query(
    `update maintenance_reports
     set version = version + 1, updated_at = $7, closed_at = $7, last_done_date = $4,
       last_done_odometer = $5, notes = $6
     where provider = $1 and vehicle_id = $2 and id = $3`,
    [provider.id, vehicleId, id, lastDoneDate, lastDoneOdometer, notes, planner.clock.now()],
  );
  await refreshMaintenance(planner, provider.id, [vehicleId]);
}

/** Deletes a report that is held. */
export async function removeReport(
  planner: Planner,
  provider: ProviderRef,
  { vehicleId, reportId }: ReportPath,
): Promise<void> {
  await planner.tx.query(
    'delete from maintenance_reports where provider = $1 and vehicle_id = $2 and id = $3',
    [provider.id, vehicleId, reportId],
  );
  await refreshMaintenance(planner, provider.id, [vehicleId]);
}
