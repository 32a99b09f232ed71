import type { Queryable } from '../../../platform/db/database.ts';
import type { ReadBudget } from '../../../platform/db/read-budget.ts';
import type {
  ReadDocument,
  RecognitionFailure,
} from '../../../platform/text-recognition/recognise-text.ts';
import type { Suggestion } from './suggestions.ts';

type Decision = 'open' | 'taken' | 'left';
export type StoredSuggestion = Suggestion & { decision: Decision };

/** The values of $1, $2 and $3 that name an incident. */
export type IncidentKey = readonly [provider: string, vehicleId: string, incidentId: string];

export type DocumentRow = {
  uuid: string;
  filename: string;
  /** Null of a document that waits to be read for the first time. */
  read_at: string | null;
  /** Whether it waits to be read. */
  waiting: boolean;
  failure: RecognitionFailure | null;
  source: ReadDocument['source'] | null;
  page_count: number | null;
  page_texts: string[] | null;
  suggestions: StoredSuggestion[] | null;
};

const documents = `
  from blobs b left join incident_documents d on d.provider = b.provider and d.blob_uuid = b.uuid
  where b.provider = $1 and b.vehicle_id = $2 and b.owner = 'incidents' and b.entry_id = $3 and b.object_key is not null`;

const isWaiting = 'd.object_key is distinct from b.object_key';

const documentColumns = `b.uuid, b.filename, d.read_at, ${isWaiting} as waiting, d.failure, d.source, d.page_count,
  d.page_texts, d.suggestions`;

/** The uploaded documents of an incident, with what was read in them. */
export function readDocuments(
  db: Queryable,
  key: IncidentKey,
  budget?: ReadBudget,
): Promise<DocumentRow[]> {
  return db.query<DocumentRow>(
    `select ${documentColumns} ${documents} order by b.created_at, b.uuid`,
    key,
    budget,
  );
}

/** Which of them wait, and which could not be read; without the texts, of which there may be a lot. */
export function readStates(
  db: Queryable,
  key: IncidentKey,
): Promise<Pick<DocumentRow, 'waiting' | 'failure'>[]> {
  return db.query(`select ${isWaiting} as waiting, d.failure ${documents}`, key);
}

/** Those of several incidents that something was read in, by the id of the incident. */
export async function readDocumentsOf(
  db: Queryable,
  providerId: string,
  incidentIds: readonly string[],
  budget?: ReadBudget,
): Promise<Map<string, DocumentRow[]>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db.query<DocumentRow & { entry_id: string }>(
    `select b.entry_id, ${documentColumns}
     from blobs b join incident_documents d on d.provider = b.provider and d.blob_uuid = b.uuid
     where b.provider = $1 and b.owner = 'incidents' and b.entry_id = any($2)
     order by b.created_at, b.uuid`,
    [providerId, incidentIds],
    budget,
  );
  return Map.groupBy(rows, ({ entry_id }) => entry_id);
}

export type WaitingDocument = { uuid: string; object_key: string };

export async function nextWaiting(
  db: Queryable,
  key: IncidentKey,
): Promise<WaitingDocument | undefined> {
  const [row] = await db.query<WaitingDocument>(
    `select b.uuid, b.object_key ${documents} and ${isWaiting} order by b.created_at, b.uuid limit 1`,
    key,
  );
  return row;
}

/** All documents of the incident wait again; what was read in them stays until then. */
export async function requestReading(tx: Queryable, key: IncidentKey): Promise<void> {
  await tx.query(
    `update incident_documents set object_key = null
     where provider = $1 and vehicle_id = $2 and incident_id = $3`,
    key,
  );
}

/** What was read in a document that is replaced. */
export async function deleteReading(
  tx: Queryable,
  key: IncidentKey,
  blobUuid: string,
): Promise<void> {
  // The file first, as who deletes it locks both in this order.
  await tx.query('select from blobs where provider = $1 and uuid = $2 for update', [
    key[0],
    blobUuid,
  ]);
  await tx.query(
    `delete from incident_documents
     where provider = $1 and vehicle_id = $2 and incident_id = $3 and blob_uuid = $4`,
    [...key, blobUuid],
  );
}

export type Reading =
  | { failure: RecognitionFailure }
  | { document: Omit<ReadDocument, 'json'>; suggestions: readonly Suggestion[] };

/** Stores what was read, unless the document was replaced or removed meanwhile. A decision stays while its value does. */
export async function storeReading(
  tx: Queryable,
  key: IncidentKey,
  { uuid, object_key }: WaitingDocument,
  reading: Reading,
  now: Date,
): Promise<void> {
  const [before] = await tx.query<{ suggestions: StoredSuggestion[] | null }>(
    `select d.suggestions ${documents} and b.uuid = $4 and b.object_key = $5 for no key update of b`,
    [...key, uuid, object_key],
  );
  if (!before) return;
  const document = 'document' in reading ? reading.document : undefined;
  const suggestions = ('document' in reading ? reading.suggestions : []).map((suggestion) => {
    const same = before.suggestions?.find(
      ({ field, value }) => field === suggestion.field && value === suggestion.value,
    );
    return { ...suggestion, decision: same?.decision ?? 'open' };
  });
  await tx.query(upsertDocument, [
    ...key,
    uuid,
    object_key,
    'failure' in reading ? reading.failure : null,
    document?.source ?? null,
    document?.pageCount ?? null,
    document?.texts ?? [],
    JSON.stringify(suggestions),
    now,
  ]);
}

const upsertDocument = `
  insert into incident_documents (
    provider, vehicle_id, incident_id, blob_uuid, object_key, failure, source, page_count, page_texts, suggestions, read_at
  ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (provider, blob_uuid) do update set object_key = excluded.object_key, failure = excluded.failure,
    source = excluded.source, page_count = excluded.page_count, page_texts = excluded.page_texts,
    suggestions = excluded.suggestions, read_at = excluded.read_at`;

/** The suggestions of a document, locked; undefined without such a document. */
export async function lockSuggestions(
  tx: Queryable,
  key: IncidentKey,
  blobUuid: string,
): Promise<StoredSuggestion[] | undefined> {
  const [row] = await tx.query<{ suggestions: StoredSuggestion[] }>(
    `select suggestions from incident_documents
     where provider = $1 and vehicle_id = $2 and incident_id = $3 and blob_uuid = $4 for update`,
    [...key, blobUuid],
  );
  return row?.suggestions;
}

export async function writeSuggestions(
  tx: Queryable,
  providerId: string,
  blobUuid: string,
  suggestions: readonly StoredSuggestion[],
): Promise<void> {
  await tx.query(
    'update incident_documents set suggestions = $3 where provider = $1 and blob_uuid = $2',
    [providerId, blobUuid, JSON.stringify(suggestions)],
  );
}
