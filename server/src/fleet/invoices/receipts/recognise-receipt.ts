import { NoSuchBlob } from '../../../platform/blobs/blob-store.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { job } from '../../../platform/jobs/job.ts';
import {
  type RecognisedDocument,
  RecognitionError,
  recogniseText,
} from '../../../platform/text-recognition/recognise-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findVehicles, vehicleOf } from '../documents/link-vehicles.ts';
import { type NamedVehicle, readReceipt } from './read-receipt.ts';
import { type Reading, type ReadingKey, storeReading, waitingObject } from './reading-store.ts';
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
    const objectKey = await waitingObject(db, key);
    if (objectKey === undefined) return;
    const reading = await read(db, key.provider, () => blobs.get(objectKey));
    await storeReading(db, key, reading, clock.now());
  },
});

type Open = Parameters<typeof recogniseText>[0];

const maxTries = 3;

/** A process that ends for no reason of the document may have been killed: it is tried again. */
async function read(db: Queryable, provider: string, open: Open): Promise<Reading> {
  for (let tries = 1; ; tries++) {
    try {
      const document = await recogniseText(open);
      return { document, suggestions: await suggestionsOf(db, provider, document) };
    } catch (error) {
      if (error instanceof NoSuchBlob) return { failure: 'failed' };
      if (!(error instanceof RecognitionError) || error.reason === 'busy') throw error;
      if (error.reason !== 'failed' || tries === maxTries) return { failure: error.reason };
    }
  }
}

async function suggestionsOf(
  db: Queryable,
  provider: string,
  document: RecognisedDocument,
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

/** Enqueues what waits to be read without a job, such as after the last retry of one failed. */
export const resumeReceipts = job({
  name: 'resume-receipts',
  key: () => 'all',
  cron: '37 * * * *',
  async run(_payload: object, { tx, jobs }: { tx: Queryable; jobs: Dependencies['jobs'] }) {
    const rows = await tx.query<ReadingKey>(
      // The first of each provider, then the second: none waits for the many of another.
      `select provider, invoice_id as "invoiceId"
       from (
         select provider, invoice_id, row_number() over (partition by provider order by invoice_id) as turn
         from invoice_readings where status = 'PROCESSING'
       ) waiting
       order by turn, provider limit 10000`,
    );
    for (const row of rows) await jobs.add(tx, recogniseReceipt, row);
  },
});
