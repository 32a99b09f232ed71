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
import { incidentKey, isIncident, lockIncident, readIncident } from './incident-store.ts';

const SetOcrStatusSchema = Type.Object(
  { status: OcrStatusSchema },
  { $id: 'SetOcrStatusRequest', additionalProperties: false },
);

// Without text recognition, no request can start it (docs/decisions/0011).
const transitions: Record<OcrStatus, OcrStatus[]> = {
  NOT_STARTED: ['MANUAL'],
  PROCESSING: ['MANUAL'],
  PROCESSED: ['MANUAL'],
  ERROR: ['MANUAL'],
  MANUAL: ['MANUAL'],
};

export const setIncidentOcrStatus = operation({
  id: 'setIncidentOcrStatus',
  method: 'POST',
  path: '/{vehicleId}/incidents/{incidentId}/ocr',
  tag: 'Incidents',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Set the OCR status of an incident',
  description:
    'Says that a person has typed the data in: the status MANUAL, which is possible from every other. Saying it again changes nothing.',
  parameters: incidentParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: SetOcrStatusSchema,
    required: true,
    examples: { manual: { summary: 'Typed in by a person', value: { status: 'MANUAL' } } },
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
    409: 'The status cannot become this one from what it is; the detail says what it can become.',
  },
  async handler({ provider, parameters, header, body: { status } }, { db, clock }: Dependencies) {
    return db.transaction(async (tx) => {
      const { ocrStatus } = await lockIncident(tx, provider, parameters, header('if-match'));
      if (!transitions[ocrStatus].includes(status)) throw invalidTransition(ocrStatus, status);
      if (status !== ocrStatus) {
        await tx.query(
          `update incidents set version = version + 1, updated_at = $5, ocr_status = $4
           where ${isIncident}`,
          [...incidentKey(provider, parameters), status, clock.now()],
        );
      }
      const { incident, version } = await readIncident(tx, provider, parameters);
      return { status: 200, headers: { etag: etagOf(version) }, body: incident };
    });
  },
});

function invalidTransition(from: OcrStatus, to: OcrStatus): Problem {
  return new Problem(409, 'impossible-move', 'The OCR status cannot become this one', {
    detail: `The OCR status is ${from}. A request can make it ${transitions[from].join(' or ')}, not ${to}.`,
  });
}
