import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagOf } from '../shared/etag.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleIncident,
  exampleRequest,
  IncidentRequestSchema,
  IncidentSchema,
  ifMatchHeader,
  incidentParameters,
} from './incident.ts';
import {
  incidentKey,
  insertDamages,
  isIncident,
  lockIncident,
  readIncident,
  writtenColumns,
  writtenValues,
} from './incident-store.ts';

export const updateIncident = operation({
  id: 'updateIncident',
  method: 'PUT',
  path: '/{vehicleId}/incidents/{incidentId}',
  tag: 'Incidents',
  origin: 'interface',
  summary: 'Overwrite an incident of a vehicle',
  description:
    'Overwrites the incident with the body: an optional field that is left out is cleared, the damages included. ' +
    'The OCR status, the report’s time and the files stay as they are.',
  parameters: incidentParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: IncidentRequestSchema,
    required: true,
    examples: {
      incident: { summary: 'An incident with two damages', value: exampleRequest },
      resolved: {
        summary: 'All that is required',
        value: { title: 'Scraped a bollard', vehicleOperable: true, isResolved: true },
      },
    },
  },
  responses: {
    200: {
      description: 'The updated incident.',
      schema: IncidentSchema,
      example: exampleIncident,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'incident'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header, body }, { db }: Dependencies) {
    const key = incidentKey(provider, parameters);
    return db.transaction(async (tx) => {
      await lockIncident(tx, provider, parameters, header('if-match'));
      await tx.rows(overwrite, [...key, ...writtenValues(body)]);
      await tx.rows(clearDamages, key);
      await insertDamages(tx, key, body.damages);
      const { incident, version } = await readIncident(tx, provider, parameters);
      return { status: 200, headers: { etag: etagOf(version) }, body: incident };
    });
  },
});

const changes = writtenColumns.map((column, index) => `${column} = $${index + 4}`);
const overwrite = `update incidents set version = version + 1, ${changes.join(', ')} where ${isIncident}`;

const clearDamages =
  'delete from incident_damages where provider = $1 and vehicle_id = $2 and incident_id = $3';
