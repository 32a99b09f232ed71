import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { bodyTooLarge, Problem, unavailable } from '../../platform/http/problem.ts';
import type { Jobs } from '../../platform/jobs/job.ts';
import { deleteBytesJob } from './delete-bytes.ts';

export type StoreContext = { db: Database; blobs: BlobStore; jobs: Jobs };

/** Objects that no record references after this time are swept. */
export const graceMs = 3_600_000;

/** An object that is stored: its key and the number of its bytes. */
export type StoredObject = { key: string; size: number };

/** As `storeObjects`, for one object. */
export function storeObject(
  context: StoreContext,
  provider: ProviderRef,
  bytes: Readable,
  attach: (tx: Queryable, key: string, size: number) => Promise<string | null>,
): Promise<void> {
  return storeObjects(context, provider, [bytes], async (tx, [stored]) => {
    if (!stored) return [];
    const replaced = await attach(tx, stored.key, stored.size);
    return replaced === null ? [] : [replaced];
  });
}

/**
 * Stores bytes under new keys, which are recorded before the first byte is written: so the sweep finds what a crash
 * leaves. `attach` makes records reference the keys, and returns the keys that they replace.
 */
export async function storeObjects(
  context: StoreContext,
  provider: ProviderRef,
  contents: readonly Readable[],
  attach: (tx: Queryable, stored: readonly StoredObject[]) => Promise<string[]>,
): Promise<void> {
  const keys = await recordKeys(context, provider, contents.length);
  try {
    const stored: StoredObject[] = [];
    for (const [index, bytes] of contents.entries()) {
      const key = keys[index] ?? '';
      stored.push({ key, size: await putObject(context, key, bytes) });
    }
    await context.db.transaction(async (tx) => {
      await requireFresh(tx, provider, keys);
      await releaseObjects(tx, context, provider.id, await attach(tx, stored));
    });
  } catch (error) {
    await abandonObjects(context, provider, keys);
    throw error;
  }
}

/** Stores bytes for as long as `use` takes. */
export async function withTemporaryObject<Result>(
  context: StoreContext,
  provider: ProviderRef,
  bytes: Readable,
  use: (key: string, size: number) => Promise<Result>,
): Promise<Result> {
  const keys = await recordKeys(context, provider, 1);
  const [key = ''] = keys;
  try {
    return await use(key, await putObject(context, key, bytes));
  } finally {
    await abandonObjects(context, provider, keys);
  }
}

async function recordKeys(
  { db }: StoreContext,
  provider: ProviderRef,
  count: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => newKey(provider));
  await db.query('insert into stored_objects (provider, key) select $1, unnest($2::text[])', [
    provider.id,
    keys,
  ]);
  return keys;
}

function putObject({ blobs }: StoreContext, key: string, bytes: Readable): Promise<number> {
  return blobs.put(key, bytes).catch((error) => {
    throw storageProblem(error);
  });
}

/** With a subfolder of two letters, so that no folder gets too large. */
function newKey(provider: ProviderRef): string {
  const uuid = randomUUID();
  return `${provider.id}/${uuid.slice(0, 2)}/${uuid}`;
}

/** Prevents that a record references an object which the sweep has released. */
async function requireFresh(
  tx: Queryable,
  provider: ProviderRef,
  keys: readonly string[],
): Promise<void> {
  const fresh = await tx.query(
    `select 1 from stored_objects where provider = $1 and key = any($2::text[])
     and released_at is null and created_at > now() - make_interval(secs => $3) for key share`,
    [provider.id, keys, graceMs / 2_000],
  );
  if (fresh.length < keys.length) throw unavailable('Storing the bytes took too long; try again.');
}

/**
 * Has the bytes of objects deleted after the transaction in which their records are. Those that a record references stay.
 * Returns their number.
 */
export async function releaseObjects(
  tx: Queryable,
  { jobs }: Pick<StoreContext, 'jobs'>,
  provider: string,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  // By a statement before: a record that another transaction has added by then is seen by the next.
  await tx.query(lockObjects, [provider, keys]);
  const released = await tx.query(markReleased, [provider, keys]);
  if (released.length > 0) await jobs.add(tx, deleteBytesJob, { provider });
  return released.length;
}

/** Of objects that no record has referenced yet. A failure is left to the sweep. */
async function abandonObjects(
  context: StoreContext,
  provider: ProviderRef,
  keys: readonly string[],
): Promise<void> {
  await context.db
    .transaction((tx) => releaseObjects(tx, context, provider.id, keys))
    .catch(() => {});
}

const lockObjects = `
  select 1 from stored_objects where provider = $1 and key = any($2::text[]) order by key for update`;

/** In SQL: whether a record references the object in a row of `alias`. */
export function isReferenced(alias: string, provider: string): string {
  return `(
    exists (select 1 from blobs b where b.provider = ${provider} and b.object_key = ${alias}.key)
    or exists (
      select 1 from vehicle_image_files f where f.provider = ${provider} and f.object_key = ${alias}.key
    )
  )`;
}

/** Key and size of every object that a record references, for a backup. */
export const selectReferencedObjects = `
  select object_key as key, size from blobs where object_key is not null
  union select object_key, bytes from vehicle_image_files`;

const markReleased = `
  update stored_objects o set released_at = now()
  where provider = $1 and key = any($2::text[]) and released_at is null and not ${isReferenced('o', '$1')}
  returning key`;

/** Errors of the client are problems already; any other is one of the store. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT'].includes(code))
    return unavailable('The file storage is full; uploads work again once there is room.', error);
  return unavailable('The file storage cannot be used right now; try again shortly.', error);
}

/** The bytes of a request up to a limit. */
export function limitSize(bytes: AsyncIterable<Buffer>, limitBytes: number): Readable {
  async function* limited() {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > limitBytes) throw bodyTooLarge(limitBytes);
      yield chunk;
    }
  }
  return Readable.from(limited(), { objectMode: false });
}
