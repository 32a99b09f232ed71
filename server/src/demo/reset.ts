import { listProviders } from '../auth/providers.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import { UserError } from '../platform/user-error.ts';

/** Removes all that the demo has, files included, so that it is made anew. Refused where other providers are. */
export async function resetDemo(db: Database, owner: Database, blobs: BlobStore): Promise<void> {
  const providers = await listProviders(db);
  if (providers.length === 0) return;
  if (providers.some(({ demo }) => !demo)) {
    throw new UserError(
      'This database holds asset providers that are not of the demo, and --reset would remove them: ' +
        'set another DATA_DIR or DATABASE_URL.',
    );
  }
  // First: what is cut short here is finished by the next reset, which still finds the keys.
  const objects = await db.query<{ key: string }>('select key from stored_objects');
  for (const { key } of objects) await blobs.delete(key);
  const tables = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and (c.relname = 'providers' or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'provider' and not a.attisdropped
       ))`,
  );
  await owner.transaction(async (tx) => {
    await tx.queryUnprepared(`set local lock_timeout = '5s'`);
    await tx.queryUnprepared(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    await tx.queryUnprepared('delete from pgboss.job');
  });
}
