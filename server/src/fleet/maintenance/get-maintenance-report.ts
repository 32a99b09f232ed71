import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleReport, MaintenanceReportSchema } from './maintenance-report.ts';
import { readReport, reportParameters } from './maintenance-store.ts';

export const getMaintenanceReport = operation({
  id: 'getMaintenanceReport',
  method: 'GET',
  path: '/{vehicleId}/maintenance/{reportId}',
  tag: 'Maintenance',
  origin: 'motorpool',
  summary: 'Read a maintenance report',
  description: 'Returns one report of the vehicle. One that is done for good is not found.',
  parameters: reportParameters,
  responses: {
    200: { description: 'The report.', schema: MaintenanceReportSchema, example: exampleReport },
  },
  notFound: ['vehicle', 'maintenance report'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    return { status: 200, body: await readReport(db, provider, parameters) };
  },
});
