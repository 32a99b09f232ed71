import { etagOf, matchingTags } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
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
  isIncident,
  isIncidentId,
  requireState,
  type WholeRow,
  wholeColumns,
  wholeOf,
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
    const ifMatch = header('if-match');
    const tags = matchingTags(ifMatch) ?? null;
    const values = [...incidentKey(provider, parameters), ...writtenValues(body), tags];
    for (;;) {
      const [row] = isIncidentId(parameters) ? await db.query<WholeRow>(overwrite, values) : [];
      if (row) {
        const { incident, version } = wholeOf(row);
        return { status: 200, headers: { etag: etagOf(version) }, body: incident };
      }
      // Whoever passes this, after all, has been let in by another writer in between.
      await requireState(db, provider, parameters, ifMatch);
    }
  },
});

// One statement of one row: it waits for a writer before it, judges If-Match by what that one has
// left, and is on disk when it answers. As five in a transaction it took four times as long.
const changes = writtenColumns.map((column, index) => `${column} = $${index + 4}`);
const overwrite = `
  update incidents i set version = version + 1, ${changes.join(', ')}
  where ${isIncident}
    and ($${writtenColumns.length + 4}::text[] is null or '"' || version || '"' = any($${writtenColumns.length + 4}))
  returning ${wholeColumns}`;
