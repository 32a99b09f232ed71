import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties, searchTextProperty } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import {
  exampleFleetIncident,
  type FleetIncidentRow,
  FleetIncidentSchema,
  fleetIncidentOf,
} from './fleet-incident.ts';
import { incidentColumns, incidentFields, incidents } from './incident-fields.ts';

const fields = fieldsOf({
  vehicleId: ['text', 'i.vehicle_id'],
  licensePlate: ['text', 'v.license_plate'],
  ...incidentFields,
});

const fleetIncidents: Searchable = {
  ...incidents,
  fields,
  columns: `${incidentColumns}, v.license_plate`,
  from: 'incidents i left join vehicles v on v.provider = i.provider and v.id = i.vehicle_id',
  textColumns: [
    ...(incidents.textColumns ?? []),
    'v.license_plate',
    "translate(v.license_plate, ' -', '')",
  ],
};

const FindIncidentsSchema = Type.Object(
  {
    searchText: searchTextProperty(
      'Keeps incidents whose title, location, incidentType, cause, notes or description, the title of any of whose ' +
        'damages, or the plate of whose vehicle, with or without its spaces and hyphens, includes the text, without ' +
        'regard to case.',
      'bollard',
    ),
    ...searchProperties(fields, true),
  },
  { $id: 'FindIncidentsRequest', additionalProperties: false },
);

export const findIncidents = operation({
  id: 'findIncidents',
  method: 'POST',
  path: '/incidents',
  tag: 'Incidents',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Find incidents of an asset provider',
  description:
    'Returns the incidents of all vehicles that match the text and all filters, sorted and in pages; without a body, ' +
    'the 100 that were reported last. A filter on a field of damages or blobs asks whether any of them fits, each filter ' +
    'for itself: two filters can be met by two damages. ' +
    '`updatedAt`, when the incident last changed, can be filtered and sorted by as well.',
  parameters: {},
  body: {
    schema: FindIncidentsSchema,
    required: false,
    parse: (body) => parseSearch(fleetIncidents, body),
    examples: {
      search: {
        summary: 'Open incidents with a bad damage, oldest first',
        value: {
          filters: [
            { field: 'isResolved', value: false },
            { field: 'damages.severity', operator: 'eq', value: 'high' },
          ],
          sorting: [{ field: 'reportTimestamp', direction: 'asc' }],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
      text: { summary: 'By text', value: { searchText: 'bollard' } },
    },
  },
  responses: {
    200: pageResponse(
      'FindIncidentsResponse',
      'A page of incidents, each with its vehicle.',
      FleetIncidentSchema,
      exampleFleetIncident,
    ),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const found = await search<FleetIncidentRow>(
        tx,
        fleetIncidents,
        { conditions: ['i.provider = $1'], values: [provider.id] },
        request,
      );
      const entries = found.rows.map(fleetIncidentOf);
      const items = await withBlobs(tx, provider, 'incidents', entries, found.budget);
      return { status: 200, body: pageBody(items, found) };
    }, 'read only');
  },
});
