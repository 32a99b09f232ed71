import type { MaintenanceReport, MaintenanceReportRequest } from '@motorpool/client';

type Field =
  | 'title'
  | 'type'
  | 'dueDate'
  | 'dueOdometer'
  | 'intervalMonths'
  | 'intervalDistance'
  | 'notes';
type Request = Pick<MaintenanceReportRequest, Field>;

/** What people plan of maintenance; a field that they clear is undefined. */
export type Plan = { title: string } & { [Name in Field]?: Request[Name] | undefined };

export function planOf(report: MaintenanceReport): Plan {
  const { title, type, dueDate, dueOdometer, intervalMonths, intervalDistance, notes } = report;
  return { title, type, dueDate, dueOdometer, intervalMonths, intervalDistance, notes };
}

export function requestOf(plan: Plan): Request {
  return Object.fromEntries(
    Object.entries(plan).filter(([, value]) => value !== undefined),
  ) as Request;
}

/** The whole report, as a write clears what it leaves out: what was planned before is not kept. */
export function changedReport(report: MaintenanceReport, plan: Plan): MaintenanceReportRequest {
  const { dueDate, dueOdometer, intervalMonths, intervalDistance, notes, ...kept } = report;
  return { ...kept, ...requestOf(plan) };
}
