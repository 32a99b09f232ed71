import { Problem } from '../../platform/http/problem.ts';
import type { MaintenanceReport, MaintenanceReportRequest } from './maintenance-report.ts';

type FieldName = keyof MaintenanceReportRequest & keyof MaintenanceReport;

const intervals: FieldName[] = ['intervalMonths', 'intervalDistance', 'calendarMonths'];
const reminder: FieldName[] = ['reminderDays', 'reminderDistance'];
const due: FieldName[] = ['dueDate', 'dueOdometer'];

/** The fields that the source of a report manages, and what to write instead. */
const managedFields: Record<MaintenanceReport['source'], { fields: FieldName[]; instead: string }> =
  {
    manual: { fields: [], instead: '' },
    schedule: {
      fields: ['title', 'type', ...intervals, ...reminder],
      instead: 'follows the schedule: overwrite that, or plan a report of your own',
    },
    vehicle: {
      fields: ['type', ...due, ...intervals],
      instead: 'follows what the vehicle tells: plan a report of your own for another',
    },
    inspection: {
      fields: ['type', ...due, ...intervals, 'lastDoneDate'],
      instead: 'follows the estimate of the inspection: record the last inspection that was passed',
    },
  };

export const managedFieldConflict = {
  409: 'A field that follows what the report comes from would be changed.',
};

/** The request with the managed fields of the report; 409 when it would change one of them. */
export function withManagedFields(
  report: MaintenanceReport,
  request: MaintenanceReportRequest,
): MaintenanceReportRequest {
  const { fields, instead } = managedFields[report.source];
  const errors = fields
    .filter((name) => request[name] !== undefined && !isSame(request[name], report[name]))
    .map((name) => ({ pointer: `/${name}`, detail: `${name} ${instead}.` }));
  if (errors.length > 0) {
    throw new Problem(409, 'follows-origin', 'The report follows what it comes from', {
      detail: errors.map(({ detail }) => detail).join(' '),
      errors,
    });
  }
  return { ...request, ...Object.fromEntries(fields.map((name) => [name, report[name]])) };
}

/** The order of months does not matter. */
function isSame(sent: unknown, stored: unknown): boolean {
  if (!Array.isArray(sent) || !Array.isArray(stored)) return sent === stored;
  return sent.length === stored.length && sent.every((one) => stored.includes(one));
}
