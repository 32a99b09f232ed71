import Type from 'typebox';
import { ofVehicle, recordEvents } from '../record-events.ts';
import { exampleNewIncident, IncidentSchema } from './incident.ts';
import { type IncidentRow, incidentColumns, incidentOf } from './incident-fields.ts';

const { blobs: _, ...properties } = IncidentSchema.properties;

export const incidentEvents = recordEvents<IncidentRow>({
  type: 'incident',
  name: 'Incident',
  description:
    'An incident, also when the text of its documents is recognised. Without its files, which have events of their own.',
  table: 'incidents',
  alias: 'i',
  columns: incidentColumns,
  resource: incidentOf,
  subject: ofVehicle('incidents'),
  schema: Type.Object(properties, { additionalProperties: false }),
  example: exampleNewIncident,
});
