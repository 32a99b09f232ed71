import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { bodyTooLarge, Problem, unavailable } from '../../platform/http/problem.ts';

export type StoreContext = { db: Database; blobs: BlobStore };

/** Objects that no record references after this time are swept. */
export const graceMs = 3_600_000;

/**
 * Stores bytes under a new key, which is recorded before the first byte is written: so the sweep finds what a crash
 * leaves. `attach` makes a record reference the key, and returns the key that it replaces.
 */
export async function storeObject(
  context: StoreContext,
  provider: ProviderRef,
  bytes: Readable,
  attach: (tx: Queryable, key: string, size: number) => Promise<string | null>,
): Promise<void> {
  const { db, blobs } = context;
  const key = newKey(provider);
  await db.query('insert into stored_objects (provider, key) values ($1, $2)', [provider.id, key]);
  let replaced: string | null;
  try {
    const size = await blobs.put(key, bytes).catch((error) => {
      throw storageProblem(error);
    });
    replaced = await db.transaction(async (tx) => {
      await requireFresh(tx, provider, key);
      return attach(tx, key, size);
    });
  } catch (error) {
    await deleteStoredObjects(context, provider, [key]);
    throw error;
  }
  if (replaced !== null) await deleteStoredObjects(context, provider, [replaced]);
}

/** With a subfolder of two letters, so that no folder gets too large. */
function newKey(provider: ProviderRef): string {
  const uuid = randomUUID();
  return `${provider.id}/${uuid.slice(0, 2)}/${uuid}`;
}

/** Prevents that a record references an object which the sweep is deleting. */
async function requireFresh(tx: Queryable, provider: ProviderRef, key: string): Promise<void> {
  const fresh = await tx.query(
    `select 1 from stored_objects where provider = $1 and key = $2
     and created_at > now() - make_interval(secs => $3) for key share`,
    [provider.id, key, graceMs / 2_000],
  );
  if (fresh.length === 0) throw unavailable('Storing the bytes took too long; try again.');
}

/** Deletes objects whose records are deleted. Failures are left to the sweep. */
export async function deleteStoredObjects(
  context: StoreContext,
  provider: ProviderRef,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await deleteStoredObject(context, provider.id, key).catch(() => {});
}

/** Returns whether this call deleted it; rejects while a record references it. */
export function deleteStoredObject(
  { db, blobs }: StoreContext,
  provider: string,
  key: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // The foreign key of the blobs rejects this while one of them references it.
    const deleted = await tx.query(
      `delete from stored_objects where (provider, key) in (
         select provider, key from stored_objects
         where provider = $1 and key = $2 for update skip locked
       ) returning key`,
      [provider, key],
    );
    if (deleted.length > 0) await blobs.delete(key);
    return deleted.length > 0;
  });
}

/** Errors of the client are problems already; any other is one of the store. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return unavailable('The file storage cannot be used right now; try again shortly.', error);
}

/** The bytes of a request up to a limit. The request stays open, so that it can be answered. */
export function limitSize(bytes: Readable, limitBytes: number): Readable {
  async function* limited() {
    let size = 0;
    for await (const chunk of rejectTruncated(bytes)) {
      size += chunk.length;
      if (size > limitBytes) throw bodyTooLarge(limitBytes);
      yield chunk;
    }
  }
  return Readable.from(limited(), { objectMode: false });
}

async function* rejectTruncated(bytes: Readable): AsyncGenerator<Buffer> {
  try {
    yield* bytes.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new Problem(400, 'cut-short', 'The request was cut short', {
      detail: 'The connection ended before all bytes had come.',
      cause: error,
    });
  }
}
