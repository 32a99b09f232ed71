import { operation } from '../../platform/http/operation.ts';
import { listQuery } from '../../platform/search/list-query.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Dependencies } from '../dependencies.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { plan, type ReportRow, reportOf } from './maintenance-fields.ts';
import { exampleReport, MaintenanceReportSchema } from './maintenance-report.ts';

export const listVehicleMaintenance = operation({
  id: 'listVehicleMaintenance',
  method: 'GET',
  path: '/{vehicleId}/maintenance',
  tag: 'Maintenance',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'List what is planned for a vehicle',
  description:
    'Returns the reports of the vehicle that match all filters, in pages; the soonest first unless another order is asked ' +
    'for. A filter without a field looks for text in the title and the notes.',
  parameters: vehicleIdParameter,
  query: listQuery('MaintenanceReport', plan),
  responses: {
    200: pageResponse(
      'ListVehicleMaintenanceResponse',
      'A page of reports.',
      MaintenanceReportSchema,
      exampleReport,
    ),
  },
  notFound: ['vehicle'],
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    const found = await listOfVehicle<ReportRow>(db, plan, 'r', provider, vehicleId, query);
    return { status: 200, body: pageBody(found.rows.map(reportOf), found) };
  },
});
