import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader } from './maintenance-report.ts';
import { closeReport, lockReport, removeReport, reportParameters } from './maintenance-store.ts';

export const deleteMaintenanceReport = operation({
  id: 'deleteMaintenanceReport',
  method: 'DELETE',
  path: '/{vehicleId}/maintenance/{reportId}',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a maintenance report',
  description:
    'Takes the report out of the plan. A second call answers 404. What comes from a schedule does not come back for this ' +
    'vehicle; what comes from the vehicle itself or from an estimated inspection comes back when it is due at another time.',
  parameters: reportParameters,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The report is deleted.' } },
  notFound: ['vehicle', 'maintenance report'],
  problems: changedMeanwhile,
  handler({ provider, parameters, header }, { db, clock }: Dependencies) {
    return db.transaction(async (tx) => {
      const report = await lockReport(tx, provider, parameters, header('if-match'));
      if (report.source === 'manual') await removeReport({ tx, clock }, provider, parameters);
      else await closeReport({ tx, clock }, provider, report, false);
      return { status: 204 };
    });
  },
});
