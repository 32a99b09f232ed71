import { type BlobStore, NoSuchBlob } from '../../../platform/blobs/blob-store.ts';
import type { Database, Queryable } from '../../../platform/db/database.ts';
import { type Jobs, job } from '../../../platform/jobs/job.ts';
import {
  type ReadDocument,
  RecognitionError,
  recogniseText,
} from '../../../platform/text-recognition/recognise-text.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Dependencies } from '../../dependencies.ts';
import { readProfile } from '../../profile/public.ts';
import { recordQueue } from '../../record-queue.ts';
import type { OcrStatus } from '../incident.ts';
import { isIncident } from '../incident-store.ts';
import {
  type DocumentRow,
  deleteReading,
  type IncidentKey,
  nextWaiting,
  type Reading,
  readStates,
  storeReading,
} from './document-store.ts';
import { suggest } from './suggest.ts';

type Payload = { provider: string; vehicleId: string; incidentId: string };
type Context = { db: Database; blobs: BlobStore; jobs: Jobs; clock: Clock };

/** Reads a document of an incident, and enqueues itself for the next: so that it is short, and incidents take turns. */
export const recogniseIncident = job({
  name: 'recognise-incident',
  key: ({ provider, incidentId }: Payload) => `${provider}/${incidentId}`,
  // Reading takes longer than a transaction should.
  transactional: false,
  tenant: ({ provider }) => provider,
  async run(payload: Payload, context: Context) {
    const { db, jobs, clock } = context;
    const key: IncidentKey = [payload.provider, payload.vehicleId, payload.incidentId];
    await readNext(key, context);
    await db.transaction(async (tx) => {
      if (await isUnfinished(tx, key, clock.now())) await jobs.add(tx, recogniseIncident, payload);
    });
  },
});

/** The result is discarded unless the incident still waits for it. */
async function readNext(
  key: IncidentKey,
  { db, blobs, clock }: Omit<Context, 'jobs'>,
): Promise<void> {
  const [provider, vehicleId] = key;
  if ((await ocrStatusOf(db, key)) !== 'PROCESSING') return;
  const waiting = await nextWaiting(db, key);
  if (!waiting) return;
  const result = await recognise(blobs, provider, waiting.object_key);
  const licensePlate = await licensePlateOf(db, provider, vehicleId);
  const { timeZone } = (await readProfile(db, provider)).profile;
  const reading: Reading =
    'failure' in result
      ? result
      : {
          document: result.document,
          suggestions: await suggest(result.document, {
            licensePlate,
            timeZone,
            now: clock.now(),
          }),
        };
  await db.transaction(async (tx) => {
    if ((await lockOcrStatus(tx, key)) !== 'PROCESSING') return;
    await storeReading(tx, key, waiting, reading, clock.now());
  });
}

async function licensePlateOf(
  db: Queryable,
  provider: string,
  vehicleId: string,
): Promise<string | undefined> {
  const [vehicle] = await db.query<{ license_plate: string | null }>(
    'select license_plate from vehicles where provider = $1 and id = $2',
    [provider, vehicleId],
  );
  return vehicle?.license_plate ?? undefined;
}

const maxTries = 3;

/** A process that ends for no reason of the document may have been killed: it is tried again. */
async function recognise(
  blobs: BlobStore,
  provider: string,
  objectKey: string,
): Promise<{ document: ReadDocument } | { failure: RecognitionError['reason'] }> {
  for (let tries = 1; ; tries++) {
    try {
      return { document: await recogniseText(provider, () => blobs.get(objectKey)) };
    } catch (error) {
      if (error instanceof NoSuchBlob) return { failure: 'failed' };
      if (!(error instanceof RecognitionError)) throw error;
      if (error.reason !== 'failed' || tries === maxTries) return { failure: error.reason };
    }
  }
}

/** Whether documents are left to read; otherwise it sets the result. */
async function isUnfinished(tx: Queryable, key: IncidentKey, now: Date): Promise<boolean> {
  if ((await lockOcrStatus(tx, key)) !== 'PROCESSING') return false;
  const documents = await readStates(tx, key);
  if (documents.some(({ waiting }) => waiting)) return true;
  await setOcrStatus(tx, key, statusAfter(documents), now);
  return false;
}

/** Files that are no documents do not count beside those that are. */
function statusAfter(documents: readonly Pick<DocumentRow, 'failure'>[]): OcrStatus {
  if (documents.length === 0) return 'NOT_STARTED';
  const supported = documents.filter(({ failure }) => failure !== 'unsupported-type');
  const isRead = supported.length > 0 && supported.every(({ failure }) => failure === null);
  return isRead ? 'PROCESSED' : 'ERROR';
}

async function ocrStatusOf(db: Queryable, key: IncidentKey): Promise<OcrStatus | undefined> {
  const [row] = await db.query<{ ocr_status: OcrStatus }>(
    `select ocr_status from incidents where ${isIncident}`,
    key,
  );
  return row?.ocr_status;
}

async function lockOcrStatus(tx: Queryable, key: IncidentKey): Promise<OcrStatus | undefined> {
  const [row] = await tx.query<{ ocr_status: OcrStatus }>(
    `select ocr_status from incidents where ${isIncident} for update`,
    key,
  );
  return row?.ocr_status;
}

export async function setOcrStatus(
  tx: Queryable,
  key: IncidentKey,
  status: OcrStatus,
  now: Date,
): Promise<void> {
  await tx.query(
    `update incidents set version = version + 1, updated_at = $5, ocr_status = $4 where ${isIncident}`,
    [...key, status, now],
  );
}

/** Moves the incident to PROCESSING and enqueues the reading, in the transaction of what causes it. */
export async function startRecognition(
  tx: Queryable,
  key: IncidentKey,
  from: OcrStatus,
  { jobs, clock }: Pick<Dependencies, 'jobs' | 'clock'>,
): Promise<void> {
  const [provider, vehicleId, incidentId] = key;
  if (from !== 'PROCESSING') await setOcrStatus(tx, key, 'PROCESSING', clock.now());
  await waitingIncidents.enqueue(tx, jobs, { provider, vehicleId, incidentId });
}

/** A document was uploaded, or replaced. Where a person has typed the data in, nothing is read. */
export async function recogniseUpload(
  tx: Queryable,
  key: IncidentKey,
  blobUuid: string,
  context: Pick<Dependencies, 'jobs' | 'clock'>,
): Promise<void> {
  const status = await lockOcrStatus(tx, key);
  await deleteReading(tx, key, blobUuid);
  if (status && status !== 'MANUAL') await startRecognition(tx, key, status, context);
}

/** Of incidents that wait to be read. */
const waitingIncidents = recordQueue<Payload>({
  kind: recogniseIncident,
  name: 'resume-recognition',
  cron: '23 * * * *',
  findProviders: (tx) =>
    tx.query(`select distinct provider from incidents where ocr_status = 'PROCESSING' order by 1`),
  findRecords: (tx, provider, queued, limit) =>
    tx.query(
      `select provider, vehicle_id as "vehicleId", id as "incidentId" from incidents
       where provider = $1 and ocr_status = 'PROCESSING' and id <> all ($2::uuid[])
       order by vehicle_id, id limit $3`,
      [provider, queued.map(({ incidentId }) => incidentId), limit],
    ),
});
export const resumeRecognition = waitingIncidents.resume;
