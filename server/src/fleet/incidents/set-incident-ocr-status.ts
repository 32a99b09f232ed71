import Type from 'typebox';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleIncident,
  IncidentSchema,
  ifMatchHeader,
  incidentParameters,
  type OcrStatus,
  OcrStatusSchema,
} from './incident.ts';
import { incidentKey, lockIncident, readIncident } from './incident-store.ts';
import { nextWaiting, requestReading } from './recognition/document-store.ts';
import { setOcrStatus, startRecognition } from './recognition/recognise-incident.ts';

const SetOcrStatusSchema = Type.Object(
  { status: OcrStatusSchema },
  { $id: 'SetOcrStatusRequest', additionalProperties: false },
);

// The others are results of reading the documents.
const requested: readonly OcrStatus[] = ['MANUAL', 'PROCESSING'];

export const setIncidentOcrStatus = operation({
  id: 'setIncidentOcrStatus',
  method: 'POST',
  path: '/{vehicleId}/incidents/{incidentId}/ocr',
  tag: 'Incidents',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Set the OCR status of an incident',
  description:
    'MANUAL says that a person has typed the data in: a result that comes later is discarded, and documents that are uploaded ' +
    'later are not read. PROCESSING asks to read all uploaded documents again. Both are possible from every status; saying ' +
    'MANUAL again changes nothing. getIncidentOcr has the result.',
  parameters: incidentParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: SetOcrStatusSchema,
    required: true,
    examples: {
      manual: { summary: 'Typed in by a person', value: { status: 'MANUAL' } },
      processing: { summary: 'To be read again', value: { status: 'PROCESSING' } },
    },
  },
  responses: {
    200: {
      description: 'The incident with its new status.',
      schema: IncidentSchema,
      example: { ...exampleIncident, ocrStatus: 'MANUAL' },
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'incident'],
  problems: {
    ...changedMeanwhile,
    409: 'The status is a result that no request can set, or there is no uploaded document to read.',
  },
  async handler({ provider, parameters, header, body: { status } }, dependencies: Dependencies) {
    const { db, clock } = dependencies;
    return db.transaction(async (tx) => {
      const { ocrStatus } = await lockIncident(tx, provider, parameters, header('if-match'));
      if (!requested.includes(status)) throw notRequested(ocrStatus, status);
      const key = incidentKey(provider, parameters);
      if (status === 'PROCESSING') {
        await requestReading(tx, key);
        if (!(await nextWaiting(tx, key))) throw withoutDocument();
        await startRecognition(tx, key, ocrStatus, dependencies);
      } else if (status !== ocrStatus) {
        await setOcrStatus(tx, key, status, clock.now());
      }
      const { incident, version } = await readIncident(tx, provider, parameters);
      return { status: 200, headers: { etag: etagOf(version) }, body: incident };
    });
  },
});

function notRequested(from: OcrStatus, to: OcrStatus): Problem {
  return new Problem(409, 'impossible-move', 'The OCR status cannot become this one', {
    detail: `The OCR status is ${from}. A request can make it ${requested.join(' or ')}, not ${to}.`,
  });
}

function withoutDocument(): Problem {
  return new Problem(409, 'no-document', 'There is no document to read', {
    detail:
      'The incident has no uploaded file: upload one, which starts the recognition by itself.',
  });
}
