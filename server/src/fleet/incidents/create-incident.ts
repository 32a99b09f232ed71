import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import {
  etagHeader,
  exampleNewIncident,
  exampleRequest,
  IncidentRequestSchema,
  IncidentSchema,
} from './incident.ts';
import { type IncidentRow, incidentColumns, incidentOf } from './incident-fields.ts';
import { incidentIssues, writtenColumns, writtenValues } from './incident-store.ts';

export const createIncident = operation({
  id: 'createIncident',
  method: 'POST',
  path: '/{vehicleId}/incidents',
  tag: 'Incidents',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Report an incident of a vehicle',
  description:
    'Adds an incident that is reported now, with the OCR status NOT_STARTED. Its files are announced and uploaded afterwards.',
  parameters: vehicleIdParameter,
  body: {
    schema: IncidentRequestSchema,
    required: true,
    rules: incidentIssues,
    examples: {
      incident: { summary: 'An incident with two damages', value: exampleRequest },
      breakdown: {
        summary: 'A breakdown without a damage',
        value: {
          title: 'Does not start',
          vehicleOperable: false,
          incidentType: 'breakdown',
          isResolved: false,
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The incident, new.',
      schema: IncidentSchema,
      example: exampleNewIncident,
      headers: { Location: 'The path of the incident.', ...etagHeader },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, body }, { db, clock }: Dependencies) {
    return db.transaction(async (tx) => {
      await requireVehicle(tx, provider, vehicleId, 'for key share');
      const values = [provider.id, vehicleId, clock.now(), ...writtenValues(body)];
      const [row] = (await tx.query<IncidentRow>(insertIncident, values)) as [IncidentRow];
      const location = locationOf(provider, vehicleId, 'incidents', row.id);
      return {
        status: 201,
        headers: { location, etag: etagOf(row.version) },
        body: incidentOf(row),
      };
    });
  },
});

const insertIncident = `
  insert into incidents as i
    (provider, vehicle_id, report_timestamp, updated_at, ${writtenColumns.join(', ')})
  values ($1, $2, $3, $3, ${writtenColumns.map((_, index) => `$${index + 4}`).join(', ')})
  returning ${incidentColumns}`;
