import { operation } from '../../platform/http/operation.ts';
import { listQuery } from '../../platform/search/list-query.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { exampleIncident, IncidentSchema } from './incident.ts';
import { type IncidentRow, incidentOf, incidents } from './incident-fields.ts';

export const listIncidents = operation({
  id: 'listIncidents',
  method: 'GET',
  path: '/{vehicleId}/incidents',
  tag: 'Incidents',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'List the incidents of a vehicle',
  description:
    'Returns the incidents of the vehicle that match all filters, in pages; the newest report first unless another order ' +
    'is asked for. A filter on a field of damages or blobs asks whether any of them fits, each filter for itself. ' +
    '`updatedAt`, when the incident last changed, can be filtered and sorted by as well.',
  parameters: vehicleIdParameter,
  query: listQuery('Incident', incidents),
  responses: {
    200: pageResponse(
      'ListIncidentsResponse',
      'A page of incidents.',
      IncidentSchema,
      exampleIncident,
    ),
  },
  notFound: ['vehicle'],
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const found = await listOfVehicle<IncidentRow>(
        tx,
        incidents,
        'i',
        provider,
        vehicleId,
        query,
      );
      const entries = found.rows.map(incidentOf);
      const items = await withBlobs(tx, provider, 'incidents', entries, found.budget);
      return { status: 200, body: pageBody(items, found) };
    }, 'read only');
  },
});
