import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { exampleIncident, IncidentSchema } from './incident.ts';
import { type IncidentRow, incidentOf, incidents } from './incident-fields.ts';

export const [listIncidents, findVehicleIncidents] = listAndSearch({
  list: {
    id: 'listIncidents',
    summary: 'List the incidents of a vehicle',
    description: 'Returns the incidents of the vehicle, in pages; the newest report first.',
    equals: ['isResolved', 'vehicleOperable', 'ocrStatus'],
  },
  search: {
    id: 'findVehicleIncidents',
    summary: 'Find incidents of a vehicle',
    description:
      'Returns the incidents of the vehicle that match all filters, in pages; the newest report first unless another ' +
      'order is asked for. A filter on a field of damages or blobs asks whether any of them fits, each filter for ' +
      'itself. `updatedAt`, when the incident last changed, can be filtered and sorted by as well.',
    examples: {
      severe: {
        summary: 'Those that are not resolved, with a severe damage',
        value: {
          filters: [
            { field: 'isResolved', value: false },
            { field: 'damages.severity', operator: 'in', value: ['moderate', 'high'] },
          ],
          sorting: [{ field: 'reportTimestamp', direction: 'asc' }],
        },
      },
    },
  },
  path: '/{vehicleId}/incidents',
  tag: 'Incidents',
  role: 'viewer',
  parameters: vehicleIdParameter,
  searchable: incidents,
  page: pageResponse(
    'ListIncidentsResponse',
    'A page of incidents.',
    IncidentSchema,
    exampleIncident,
  ),
  notFound: ['vehicle'],
  async read({ provider, parameters: { vehicleId }, request }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const found = await listOfVehicle<IncidentRow>(
        tx,
        incidents,
        'i',
        provider,
        vehicleId,
        request,
      );
      const entries = found.rows.map(incidentOf);
      const items = await withBlobs(tx, provider, 'incidents', entries, found.budget);
      return pageBody(items, found);
    }, 'read only');
  },
});
