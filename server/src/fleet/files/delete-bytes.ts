import { isBackupRunning } from '../../platform/backup/backup-lock.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';

type Stores = { db: Database; blobs: BlobStore };

/** Deletes the bytes of the provider's released objects, each before its key. A failure does not stop the others. */
export const deleteBytesJob = job({
  name: 'delete-bytes',
  key: ({ provider }) => provider,
  // No transaction waits for the blob store.
  transactional: false,
  tenant: ({ provider }) => provider,
  async run({ provider }: { provider: string }, context: Stores) {
    const errors = await deleteBytes(context, provider);
    if (errors.length > 0) throw new AggregateError(errors, 'Some bytes could not be deleted.');
  },
});

const pageSize = 100;
// The log and the queue keep all of them: while the store is down, there may be one for each object of a provider.
const maxErrors = 10;

/** Returns the first errors. */
export async function deleteBytes({ db, blobs }: Stores, provider: string): Promise<unknown[]> {
  const errors: unknown[] = [];
  let last: string | undefined = '';
  while (last !== undefined) {
    const page: { key: string }[] = await db.query(selectReleased, [provider, last]);
    // The sweep has them deleted later.
    if (page.length > 0 && (await isBackupRunning(db))) break;
    for (const { key } of page) {
      try {
        await blobs.delete(key);
        await db.query(deleteReleased, [provider, key]);
      } catch (error) {
        if (errors.length < maxErrors) errors.push(error);
      }
    }
    last = page.length < pageSize ? undefined : page.at(-1)?.key;
  }
  return errors;
}

const selectReleased = `
  select key from stored_objects
  where provider = $1 and key > $2 and released_at is not null order by key limit ${pageSize}`;

const deleteReleased =
  'delete from stored_objects where provider = $1 and key = $2 and released_at is not null';
