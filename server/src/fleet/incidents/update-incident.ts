import type { Queryable } from '../../platform/db/database.ts';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
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
  type IncidentWithBlobsRow,
  incidentIssues,
  incidentKey,
  incidentWithBlobsColumns,
  incidentWithBlobsOf,
  isIncident,
  isIncidentId,
  missingIncident,
  writtenColumns,
  writtenValues,
} from './incident-store.ts';

export const updateIncident = operation({
  id: 'updateIncident',
  method: 'PUT',
  path: '/{vehicleId}/incidents/{incidentId}',
  tag: 'Incidents',
  role: 'editor',
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
    rules: incidentIssues,
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
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const ifMatch = header('if-match');
    const write = async (tx: Queryable) => {
      const values = [...incidentKey(provider, parameters), clock.now(), ...writtenValues(body)];
      const [row] = isIncidentId(parameters) ? await overwrite(tx, values) : [];
      if (!row) throw await missingIncident(tx, provider, parameters);
      const { incident, version } = incidentWithBlobsOf(row);
      requireMatch(ifMatch, version - 1);
      return { status: 200 as const, headers: { etag: etagOf(version) }, body: incident };
    };
    // Without a condition, the one statement needs no transaction around it.
    return ifMatch === undefined && !db.isSharded ? write(db) : db.transaction(write);
  },
});

const changes = writtenColumns.map((column, index) => `${column} = $${index + 5}`);
const updateOnly = `
  update incidents i set version = version + 1, updated_at = $4, ${changes.join(', ')}
  where ${isIncident}`;
const overwriteIncident = `${updateOnly} returning ${incidentWithBlobsColumns}`;
const selectIncident = `select ${incidentWithBlobsColumns} from incidents i where ${isIncident}`;

/** On a distributed database an update returns nothing of another table, so that the files are read after it. */
async function overwrite(
  tx: Queryable,
  values: readonly unknown[],
): Promise<IncidentWithBlobsRow[]> {
  if (!tx.isSharded) return tx.query(overwriteIncident, values);
  await tx.query(updateOnly, values);
  return tx.query(selectIncident, values.slice(0, 3));
}
