import { NoSuchBlob } from '../../../platform/blobs/blob-store.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { job } from '../../../platform/jobs/job.ts';
import {
  type ReadDocument,
  RecognitionError,
  recogniseText,
} from '../../../platform/text-recognition/recognise-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import { recordQueue } from '../../record-queue.ts';
import { findVehicles, vehicleOf } from '../documents/link-vehicles.ts';
import { type NamedVehicle, readReceipt } from './read-receipt.ts';
import {
  type Reading,
  type ReadingKey,
  restartReading,
  storeReading,
  waitingReceipt,
} from './reading-store.ts';
import type { Suggestion } from './receipt-suggestions.ts';

type Context = Pick<Dependencies, 'db' | 'blobs' | 'clock'>;

/** Reads the document of a draft, and stores what it suggests. */
export const recogniseReceipt = job({
  name: 'recognise-receipt',
  key: ({ provider, invoiceId }: ReadingKey) => `${provider}/${invoiceId}`,
  // Reading takes longer than a transaction should.
  transactional: false,
  tenant: ({ provider }) => provider,
  async run(key: ReadingKey, { db, blobs, clock }: Context) {
    // Again where the document is replaced while it is read.
    for (;;) {
      const waiting = await waitingReceipt(db, key);
      if (!waiting) return;
      const reading = await read(db, key.provider, () => blobs.get(waiting.object_key));
      await db.transaction((tx) => storeReading(tx, key, waiting, reading, clock.now()));
    }
  },
});

type Open = Parameters<typeof recogniseText>[1];

const maxTries = 3;

/** A process that ends for no reason of the document may have been killed: it is tried again. */
async function read(db: Queryable, provider: string, open: Open): Promise<Reading> {
  for (let tries = 1; ; tries++) {
    try {
      const document = await recogniseText(provider, open);
      return { document, suggestions: await suggestionsOf(db, provider, document) };
    } catch (error) {
      if (error instanceof NoSuchBlob) return { failure: 'failed' };
      if (!(error instanceof RecognitionError)) throw error;
      if (error.reason !== 'failed' || tries === maxTries) return { failure: error.reason };
    }
  }
}

async function suggestionsOf(
  db: Queryable,
  provider: string,
  document: ReadDocument,
): Promise<Suggestion[]> {
  const { suggestions, vehicles } = await readReceipt(document);
  return [...suggestions, ...(await vehicleSuggestions(db, provider, vehicles))];
}

/** The vehicle that the document names, if it is one. */
async function vehicleSuggestions(
  db: Queryable,
  provider: string,
  vehicles: readonly NamedVehicle[],
): Promise<Suggestion[]> {
  const found = await findVehicles(
    db,
    provider,
    vehicles.map(({ hints }) => hints),
  );
  const named = vehicles.flatMap(({ hints, suggestion }) => {
    const value = vehicleOf(hints, found);
    return value === undefined ? [] : { ...suggestion, value };
  });
  const [first] = named;
  return first && named.every(({ value }) => value === first.value) ? [first] : [];
}

/** Of drafts whose document waits to be read. */
export const waitingReceipts = recordQueue<ReadingKey>({
  kind: recogniseReceipt,
  name: 'resume-receipts',
  cron: '37 * * * *',
  findProviders: (tx) =>
    tx.query(
      `select distinct provider from invoice_readings where status = 'PROCESSING' order by 1`,
    ),
  findRecords: (tx, provider, queued, limit) =>
    tx.query(
      `select provider, invoice_id as "invoiceId" from invoice_readings
       where provider = $1 and status = 'PROCESSING' and invoice_id <> all ($2::uuid[])
       order by invoice_id limit $3`,
      [provider, queued.map(({ invoiceId }) => invoiceId), limit],
    ),
});
export const resumeReceipts = waitingReceipts.resume;

/** The document of a draft may be replaced. */
export async function recogniseReplaced(
  tx: Queryable,
  key: ReadingKey,
  blobUuid: string,
  { jobs }: Pick<Dependencies, 'jobs'>,
): Promise<void> {
  if (await restartReading(tx, key, blobUuid)) await waitingReceipts.enqueue(tx, jobs, key);
}
