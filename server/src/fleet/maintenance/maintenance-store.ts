import type { Queryable } from '../../platform/db/database.ts';
import { requireMatch } from '../../platform/http/etag.ts';
import { formats } from '../../platform/http/formats.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { notFound } from '../../platform/http/problem.ts';
import { lockVehicles, requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import {
  knownReports,
  openReports,
  type ReportRow,
  reportColumns,
  reportOf,
} from './maintenance-fields.ts';
import {
  exampleReport,
  type MaintenanceReport,
  type MaintenanceReportRequest,
} from './maintenance-report.ts';
import { boundedOdometer } from './odometer-sql.ts';
import { type PlanContext, refreshMaintenance } from './refresh-maintenance.ts';

/** The path parameters of every operation on one report. */
export const reportParameters = {
  ...vehicleIdParameter,
  reportId: uuidParameter('The id of the report, as the service made it.', exampleReport.id),
};
export type ReportPath = Record<keyof typeof reportParameters, string>;

export type StoredReport = { report: MaintenanceReport; version: number };

/** 404 without such an open report, or without such a vehicle. */
export async function readReport(
  db: Queryable,
  provider: ProviderRef,
  path: ReportPath,
  select = selectOpen,
): Promise<StoredReport> {
  const stored = await findReport(db, provider, path, select);
  if (stored) return stored;
  await requireVehicle(db, provider, path.vehicleId);
  throw notFound('maintenance report');
}

export async function findReport(
  db: Queryable,
  provider: ProviderRef,
  { vehicleId, reportId }: ReportPath,
  select = selectOpen,
): Promise<StoredReport | undefined> {
  if (!formats.uuid(reportId)) return undefined;
  const [row] = await db.query<ReportRow>(select, [provider.id, vehicleId, reportId]);
  return row && { report: reportOf(row), version: row.version };
}

const selectReport = (reports: string) => `
  select ${reportColumns} from ${reports}
  where r.provider = $1 and r.vehicle_id = $2 and r.id = $3`;
const selectOpen = selectReport(openReports);
/** Also finds reports that are done. */
export const selectKnown = selectReport(knownReports);

/** Locks the vehicle against concurrent planning, and reads the report; 412 when If-Match names another state. */
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

/** The vehicle's odometer, within the limits of planning. */
export async function currentOdometer(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
): Promise<number | undefined> {
  const [row] = await tx.query<{ odometer: number | null }>(
    `select ${boundedOdometer('s.odometer')} as odometer from vehicle_statuses s
     where s.provider = $1 and s.vehicle_id = $2`,
    [provider.id, vehicleId],
  );
  return row?.odometer ?? undefined;
}

/** The columns that a client writes, each with its type. */
export const writtenColumns = [
  ['title', 'text'],
  ['type', 'text'],
  ['due_date', 'date'],
  ['due_odometer', 'double precision'],
  ['interval_months', 'integer'],
  ['interval_distance', 'double precision'],
  ['calendar_months', 'smallint[]'],
  ['reminder_days', 'integer'],
  ['reminder_distance', 'double precision'],
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
    request.calendarMonths?.toSorted((a, b) => a - b) ?? null,
    request.reminderDays ?? null,
    request.reminderDistance ?? null,
    request.lastDoneDate ?? null,
    request.lastDoneOdometer ?? null,
    request.notes ?? null,
  ];
}

/** Overwrites a locked report; returns it with its new forecast. */
export async function overwriteReport(
  context: PlanContext,
  provider: ProviderRef,
  path: ReportPath,
  request: MaintenanceReportRequest,
): Promise<StoredReport> {
  await context.tx.query(updateReport, [
    provider.id,
    path.vehicleId,
    path.reportId,
    context.clock.now(),
    ...writtenValues(request),
  ]);
  await refreshMaintenance(context, provider.id, [path.vehicleId]);
  return readReport(context.tx, provider, path);
}

const updateReport = `
  update maintenance_reports r
  set version = version + 1, updated_at = $4,
    ${writtenColumns.map(([name], index) => `${name} = $${index + 5}`).join(', ')}
  where r.provider = $1 and r.vehicle_id = $2 and r.id = $3`;

// The vehicle was seen to be reset on that day or later, or the service that it tells of since is not due yet; or somebody
// says it again.
const isOfServiceBefore = `(source = 'vehicle' and (coalesce(greatest(reset_on, last_done_date) >= $4, false)
  or reset_on is not null and status = 'planned'))`;

/**
 * Removes a locked report from the plan, and stores when it was last done; `done` unless it is deleted. A service that
 * the vehicle has told of since then stays.
 */
export async function closeReport(
  context: PlanContext,
  provider: ProviderRef,
  { id, vehicleId, lastDoneDate, lastDoneOdometer, notes }: MaintenanceReport,
  done: boolean,
): Promise<void> {
  await context.tx.query(
    `update maintenance_reports
     set version = version + 1, updated_at = $7, last_done_date = $4, last_done_odometer = $5, notes = $6,
       closed_at = case when $8 and ${isOfServiceBefore} then null else $7::timestamptz end,
       done = $8 and not ${isOfServiceBefore}, reset_on = case when last_done_date >= $4 then reset_on end,
       forecast_date = null, soonest = null
     where provider = $1 and vehicle_id = $2 and id = $3`,
    [provider.id, vehicleId, id, lastDoneDate, lastDoneOdometer, notes, context.clock.now(), done],
  );
  await refreshMaintenance(context, provider.id, [vehicleId]);
}

/** Deletes a locked report. */
export async function removeReport(
  context: PlanContext,
  provider: ProviderRef,
  { vehicleId, reportId }: ReportPath,
): Promise<void> {
  await context.tx.query(
    'delete from maintenance_reports where provider = $1 and vehicle_id = $2 and id = $3',
    [provider.id, vehicleId, reportId],
  );
  await refreshMaintenance(context, provider.id, [vehicleId]);
}
