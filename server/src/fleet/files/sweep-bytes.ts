import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { discard } from './blob.ts';
import { graceMs } from './stored-bytes.ts';

const pageSize = 1_000;

export type Swept = { removed: number; issues: unknown[] };

/**
 * Removes bytes that no record owns: of uploads that a kill or a fault has cut short, and of files
 * that went with their vehicle. Several processes may do so at once. One fault stops nothing else.
 */
export async function sweepBytes(
  dependencies: { db: Database; blobs: BlobStore },
  options: { graceMs: number } = { graceMs },
): Promise<Swept> {
  const swept: Swept = { removed: 0, issues: [] };
  let last = { provider: '', key: '' };
  for (;;) {
    const page = await dependencies.db.query<{ provider: string; key: string; unowned: boolean }>(
      pageOfObjects,
      [last.provider, last.key, options.graceMs / 1_000],
    );
    for (const { provider, key } of page.filter(({ unowned }) => unowned)) {
      try {
        if (await discard(dependencies, provider, key)) swept.removed++;
      } catch (error) {
        swept.issues.push(error);
      }
    }
    const end = page.at(-1);
    if (!end || page.length < pageSize) return swept;
    last = end;
  }
}

// In pages, so that no statement takes long, however many objects there are.
const pageOfObjects = `
  with page as (
    select provider, key, created_at from stored_objects
    where (provider, key) > ($1, $2) order by provider, key limit ${pageSize}
  )
  select provider, key,
    created_at <= now() - make_interval(secs => $3) and not exists (
      select 1 from blobs where blobs.provider = page.provider and blobs.object_key = page.key
    ) as unowned
  from page order by provider, key`;
