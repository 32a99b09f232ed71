import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { bodyTooLarge, Problem, unavailable } from '../../platform/http/problem.ts';
import { discardBytes } from './blob.ts';

/** Bytes that no record owns after this long are swept. */
export const graceMs = 3_600_000;

/**
 * Stores bytes for a record. They are known to the database before the first of them is written, and
 * the record is told of them after the last: so whatever happens in between, the sweep finds them.
 * `own` makes the record refer to the key, in one transaction, and answers the key of the bytes that
 * it referred to before.
 */
export async function storeBytes(
  dependencies: { db: Database; blobs: BlobStore },
  provider: ProviderRef,
  bytes: Readable,
  own: (tx: Queryable, key: string, size: number) => Promise<string | null>,
): Promise<void> {
  const { db, blobs } = dependencies;
  const key = newKey(provider);
  await db.query('insert into stored_objects (provider, key) values ($1, $2)', [provider.id, key]);
  let replaced: string | null;
  try {
    const size = await blobs.put(key, bytes).catch((error) => {
      throw storageFault(error);
    });
    replaced = await db.transaction(async (tx) => {
      await requireFresh(tx, provider, key);
      return own(tx, key, size);
    });
  } catch (error) {
    await discardBytes(dependencies, provider, [key]);
    throw error;
  }
  if (replaced !== null) await discardBytes(dependencies, provider, [replaced]);
}

/** A folder of two letters below the provider's: no folder gets crowded. */
function newKey(provider: ProviderRef): string {
  const uuid = randomUUID();
  return `${provider.id}/${uuid.slice(0, 2)}/${uuid}`;
}

/** No record may come to own bytes that the sweep could be deleting at this moment. */
async function requireFresh(tx: Queryable, provider: ProviderRef, key: string): Promise<void> {
  const fresh = await tx.query(
    `select 1 from stored_objects where provider = $1 and key = $2
     and created_at > now() - make_interval(secs => $3) for key share`,
    [provider.id, key, graceMs / 2_000],
  );
  if (fresh.length === 0) throw unavailable('Storing the bytes took too long; try again.');
}

/** Faults of whoever sends the bytes are problems already; any other is the store's. */
export function storageFault(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return unavailable('The file storage cannot be used right now; try again shortly.', error);
}

/** What a request sends, up to a limit. The request is left open, so that it can be answered. */
export function limited(bytes: Readable, limitBytes: number): Readable {
  async function* pass() {
    let size = 0;
    for await (const chunk of whole(bytes)) {
      size += chunk.length;
      if (size > limitBytes) throw bodyTooLarge(limitBytes);
      yield chunk;
    }
  }
  return Readable.from(pass(), { objectMode: false });
}

async function* whole(bytes: Readable): AsyncGenerator<Buffer> {
  try {
    yield* bytes.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new Problem(400, 'cut-short', 'The request was cut short', {
      detail: 'The connection ended before all bytes had come.',
      cause: error,
    });
  }
}
