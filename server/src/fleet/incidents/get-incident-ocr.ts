import { ReadBudget } from '../../platform/db/read-budget.ts';
import { maxAnswerBytes } from '../../platform/http/large-json.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { incidentParameters } from './incident.ts';
import { exampleIncidentOcr, IncidentOcrSchema, incidentOcrOf } from './incident-ocr.ts';
import { incidentKey, readIncident } from './incident-store.ts';
import { readDocuments } from './recognition/document-store.ts';

export const getIncidentOcr = operation({
  id: 'getIncidentOcr',
  method: 'GET',
  path: '/{vehicleId}/incidents/{incidentId}/ocr',
  tag: 'Incidents',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read what was recognised in the documents of an incident',
  description:
    'Returns the status and, for each uploaded file, its text and what it suggests for the incident, with the confidence and the ' +
    'place on the page. Uploading a file starts the recognition. A suggestion changes nothing until a person takes it ' +
    '(decideSuggestion).',
  parameters: incidentParameters,
  responses: {
    200: {
      description: 'The status and the documents.',
      schema: IncidentOcrSchema,
      example: exampleIncidentOcr,
    },
  },
  notFound: ['vehicle', 'incident'],
  problems: { 422: 'The texts of all documents together are too large for one answer.' },
  workload: 'batch',
  async handler({ provider, parameters }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const { incident } = await readIncident(tx, provider, parameters);
      const budget = new ReadBudget(maxAnswerBytes);
      const rows = await readDocuments(tx, incidentKey(provider, parameters), budget);
      return { status: 200, body: incidentOcrOf(incident.ocrStatus, rows, budget) };
    }, 'read only');
  },
});
