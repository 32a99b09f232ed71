import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidQuery } from '../../platform/http/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { listQuery, queryPage } from '../shared/list-query.ts';
import { PaginationSchema } from '../shared/page.ts';
import { search } from '../shared/search.ts';
import { requireVehicle, vehicleIdParameter } from '../shared/vehicle-scope.ts';
import { exampleIncident, IncidentSchema } from './incident.ts';
import { type IncidentRow, incidentFields, incidents } from './incident-fields.ts';
import { incidentsOf } from './incident-store.ts';

export const listIncidents = operation({
  id: 'listIncidents',
  method: 'GET',
  path: '/{vehicleId}/incidents',
  tag: 'Incidents',
  origin: 'motorpool',
  summary: 'List the incidents of a vehicle',
  description:
    'Returns the incidents of the vehicle that match all filters, in pages; the newest report first unless another order ' +
    'is asked for. A filter on a field of damages or blobs asks whether any of them fits, each filter for itself.',
  parameters: vehicleIdParameter,
  query: listQuery('Incident', incidentFields),
  responses: {
    200: {
      description: 'A page of incidents.',
      schema: Type.Object(
        { items: Type.Array(IncidentSchema), pagination: PaginationSchema },
        { $id: 'ListIncidentsResponse', additionalProperties: false },
      ),
      example: {
        items: [exampleIncident],
        pagination: { pageSize: 100, pageNumber: 0, totalEntries: 1 },
      },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const { rows, pagination } = await search<IncidentRow>(
        tx,
        incidents,
        {
          conditions: ['i.provider = $1', 'i.vehicle_id = $2'],
          values: [provider.id, vehicleId],
        },
        { ...query, page: queryPage(query) },
        invalidQuery,
      );
      if (pagination.totalEntries === 0) await requireVehicle(tx, provider, vehicleId);
      return { status: 200, body: { items: await incidentsOf(tx, provider, rows), pagination } };
    }, 'read only');
  },
});
