import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Dependencies } from '../dependencies.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { plan, type ReportRow, reportOf } from './maintenance-fields.ts';
import { exampleReport, MaintenanceReportSchema } from './maintenance-report.ts';

export const [listVehicleMaintenance, findVehicleMaintenance] = listAndSearch({
  list: {
    id: 'listVehicleMaintenance',
    summary: 'List what is planned for a vehicle',
    description: 'Returns the reports of the vehicle, in pages; the soonest first.',
    equals: ['type', 'status'],
  },
  search: {
    id: 'findVehicleMaintenance',
    summary: 'Find what is planned for a vehicle',
    description:
      'Returns the reports of the vehicle that match all filters, in pages; the soonest first unless another order is ' +
      'asked for. A filter without a field looks for text in the title and the notes.',
    examples: {
      due: {
        summary: 'What is due, by date',
        value: {
          filters: [{ field: 'status', operator: 'in', value: ['due_soon', 'overdue', 'planned'] }],
          sorting: [{ field: 'dueDate' }],
        },
      },
    },
  },
  path: '/{vehicleId}/maintenance',
  tag: 'Maintenance',
  role: 'viewer',
  parameters: vehicleIdParameter,
  searchable: plan,
  page: pageResponse(
    'ListVehicleMaintenanceResponse',
    'A page of reports.',
    MaintenanceReportSchema,
    exampleReport,
  ),
  notFound: ['vehicle'],
  async read({ provider, parameters: { vehicleId }, request }, { db }: Dependencies) {
    const found = await listOfVehicle<ReportRow>(db, plan, 'r', provider, vehicleId, request);
    return pageBody(found.rows.map(reportOf), found);
  },
});
