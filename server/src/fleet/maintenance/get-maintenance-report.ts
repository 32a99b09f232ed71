import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagHeader, exampleReport, MaintenanceReportSchema } from './maintenance-report.ts';
import { readReport, reportParameters, selectKnown } from './maintenance-store.ts';

export const getMaintenanceReport = operation({
  id: 'getMaintenanceReport',
  method: 'GET',
  path: '/{vehicleId}/maintenance/{reportId}',
  tag: 'Maintenance',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a maintenance report',
  description:
    'Returns one report of the vehicle, also one that is done and has no next time; one that was deleted is not found.',
  parameters: reportParameters,
  responses: {
    200: {
      description: 'The report.',
      schema: MaintenanceReportSchema,
      example: exampleReport,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'maintenance report'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const { report, version } = await readReport(db, provider, parameters, selectKnown);
    return { status: 200, headers: { etag: etagOf(version) }, body: report };
  },
});
