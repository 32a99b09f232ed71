import { ofVehicle, recordEvents } from '../record-events.ts';
import { type ReportRow, reportColumns, reportOf } from './maintenance-fields.ts';
import { exampleReport, MaintenanceReportSchema } from './maintenance-report.ts';
import {
  exampleSchedule,
  MaintenanceScheduleSchema,
  type ScheduleRow,
  scheduleColumns,
  scheduleOf,
} from './maintenance-schedule.ts';

export const reportEvents = recordEvents<ReportRow>({
  type: 'maintenance-report',
  name: 'MaintenanceReport',
  description:
    'A maintenance report, whoever planned it, also when it becomes due; a new forecast alone is none.',
  table: 'maintenance_reports',
  alias: 'r',
  columns: reportColumns,
  resource: reportOf,
  subject: ofVehicle('maintenance'),
  schema: MaintenanceReportSchema,
  example: exampleReport,
});

export const scheduleEvents = recordEvents<ScheduleRow>({
  type: 'maintenance-schedule',
  name: 'MaintenanceSchedule',
  description: 'A maintenance schedule.',
  table: 'maintenance_schedules',
  alias: 'm',
  columns: scheduleColumns,
  resource: scheduleOf,
  subject: (id) => `/maintenance-schedules/${id}`,
  schema: MaintenanceScheduleSchema,
  example: exampleSchedule,
});
