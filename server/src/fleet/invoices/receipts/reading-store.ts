import type { Queryable } from '../../../platform/db/database.ts';
import type { ReadBudget } from '../../../platform/db/read-budget.ts';
import type {
  ReadDocument,
  RecognitionFailure,
} from '../../../platform/text-recognition/recognise-text.ts';
import { lockInvoice } from '../lock-invoice.ts';
import type { Suggestion } from './receipt-suggestions.ts';

export type ReadingKey = { provider: string; invoiceId: string };

export type ReadingRow = {
  blob_uuid: string;
  status: 'PROCESSING' | 'PROCESSED' | 'ERROR';
  failure: RecognitionFailure | null;
  source: ReadDocument['source'] | null;
  page_count: number | null;
  page_texts: string[];
  suggestions: Suggestion[];
  read_at: string | null;
};

/** Notes that a document of an invoice waits to be read. */
export async function addReading(
  tx: Queryable,
  { provider, invoiceId }: ReadingKey,
  blobUuid: string,
): Promise<void> {
  await tx.query(
    `insert into invoice_readings (provider, invoice_id, blob_uuid, status) values ($1, $2, $3, 'PROCESSING')`,
    [provider, invoiceId, blobUuid],
  );
}

export async function readReading(
  db: Queryable,
  { provider, invoiceId }: ReadingKey,
  budget?: ReadBudget,
): Promise<ReadingRow | undefined> {
  const [row] = await db.query<ReadingRow>(
    `select blob_uuid, status, failure, source, page_count, page_texts, suggestions, read_at
     from invoice_readings where provider = $1 and invoice_id = $2`,
    [provider, invoiceId],
    budget,
  );
  return row;
}

/** Has a document read that is replaced, without what was read before. Returns whether it is one that is read. */
export async function restartReading(
  tx: Queryable,
  { provider, invoiceId }: ReadingKey,
  blobUuid: string,
): Promise<boolean> {
  await lockInvoice(tx, provider, invoiceId);
  // The file before its reading, as who deletes it locks both in this order.
  await tx.query('select from blobs where provider = $1 and uuid = $2 for update', [
    provider,
    blobUuid,
  ]);
  const restarted = await tx.query(
    `update invoice_readings set status = 'PROCESSING', failure = null, source = null, page_count = null,
       page_texts = '{}', suggestions = '[]', read_at = null
     where provider = $1 and invoice_id = $2 and blob_uuid = $3 returning 1`,
    [provider, invoiceId, blobUuid],
  );
  return restarted.length > 0;
}

export type WaitingReceipt = { uuid: string; object_key: string };

/** The document that waits to be read. */
export async function waitingReceipt(
  db: Queryable,
  { provider, invoiceId }: ReadingKey,
): Promise<WaitingReceipt | undefined> {
  const [row] = await db.query<WaitingReceipt>(
    `select b.uuid, b.object_key from invoice_readings r join blobs b on b.provider = r.provider and b.uuid = r.blob_uuid
     where r.provider = $1 and r.invoice_id = $2 and r.status = 'PROCESSING' and b.object_key is not null`,
    [provider, invoiceId],
  );
  return row;
}

/** What a document says has served its purpose when the draft is complete: it may name persons. */
export async function deleteReading(
  tx: Queryable,
  { provider, invoiceId }: ReadingKey,
): Promise<void> {
  await tx.query('delete from invoice_readings where provider = $1 and invoice_id = $2', [
    provider,
    invoiceId,
  ]);
}

export type Reading =
  | { failure: RecognitionFailure }
  | { document: Omit<ReadDocument, 'json'>; suggestions: readonly Suggestion[] };

/** Stores what was read, unless the document was replaced or removed meanwhile. */
export async function storeReading(
  tx: Queryable,
  { provider, invoiceId }: ReadingKey,
  { uuid, object_key }: WaitingReceipt,
  reading: Reading,
  now: Date,
): Promise<void> {
  await lockInvoice(tx, provider, invoiceId);
  const unchanged = await tx.query(
    'select from blobs where provider = $1 and uuid = $2 and object_key = $3 for no key update',
    [provider, uuid, object_key],
  );
  if (unchanged.length === 0) return;
  const document = 'document' in reading ? reading.document : undefined;
  await tx.query(
    `update invoice_readings set status = $3, failure = $4, source = $5, page_count = $6, page_texts = $7,
       suggestions = $8, read_at = $9
     where provider = $1 and invoice_id = $2 and status = 'PROCESSING'`,
    [
      provider,
      invoiceId,
      'failure' in reading ? 'ERROR' : 'PROCESSED',
      'failure' in reading ? reading.failure : null,
      document?.source ?? null,
      document?.pageCount ?? null,
      document?.texts ?? [],
      JSON.stringify('suggestions' in reading ? reading.suggestions : []),
      now,
    ],
  );
}
