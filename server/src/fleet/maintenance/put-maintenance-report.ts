import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { readCalendar, todayOf } from '../profile/public.ts';
import {
  changedMeanwhile,
  dueIssues,
  etagHeader,
  exampleReport,
  exampleRequest,
  ifMatchHeader,
  MaintenanceReportRequestSchema,
  MaintenanceReportSchema,
  reportIssues,
} from './maintenance-report.ts';
import {
  currentOdometer,
  lockReport,
  overwriteReport,
  reportParameters,
} from './maintenance-store.ts';
import { managedFieldConflict, withManagedFields } from './managed-fields.ts';
import { withDefaultDue } from './planning/due.ts';

export const putMaintenanceReport = operation({
  id: 'putMaintenanceReport',
  method: 'PUT',
  path: '/{vehicleId}/maintenance/{reportId}',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite a maintenance report',
  description:
    'What the body leaves out is cleared; where an interval is given and not when it is due, that is computed as for a new report. ' +
    'Some fields follow what the report comes from: of a schedule the title, the type and the intervals; of the vehicle and of an ' +
    'inspection the type, the intervals and when it is due; of an inspection also when the last one was passed. These may be ' +
    'left out or sent as they are, and stay.',
  parameters: reportParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: MaintenanceReportRequestSchema,
    required: true,
    rules: reportIssues,
    today: todayOf,
    examples: { service: { summary: 'A service that comes round', value: exampleRequest } },
  },
  responses: {
    200: {
      description: 'The report, overwritten.',
      schema: MaintenanceReportSchema,
      example: exampleReport,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'maintenance report'],
  problems: { ...changedMeanwhile, ...managedFieldConflict },
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const { today } = await readCalendar(db, provider.id, clock.now());
    return db.transaction(async (tx) => {
      const report = await lockReport(tx, provider, parameters, header('if-match'));
      const request = withManagedFields(report, body);
      const issues = dueIssues(request);
      if (issues.length > 0) throw invalidBody(issues);
      const due =
        report.source === 'manual' || report.source === 'schedule'
          ? withDefaultDue(
              request,
              await currentOdometer(tx, provider, parameters.vehicleId),
              today,
            )
          : request;
      const { report: written, version } = await overwriteReport(
        { tx, clock },
        provider,
        parameters,
        due,
      );
      return { status: 200, headers: { etag: etagOf(version) }, body: written };
    });
  },
});
