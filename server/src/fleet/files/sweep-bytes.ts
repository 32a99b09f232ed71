import { job } from '../../platform/jobs/job.ts';
import { deleteBytesJob } from './delete-bytes.ts';
import { graceMs, isReferenced, releaseObjects, type StoreContext } from './stored-objects.ts';

export const sweepBytesJob = job({
  name: 'sweep-bytes',
  key: () => 'all',
  cron: '11 * * * *',
  // One transaction would lock too much for too long.
  transactional: false,
  async run(_payload: object, context: StoreContext) {
    await sweepBytes(context);
  },
});

type StoredObject = { provider: string; key: string };

const pageSize = 1_000;

/**
 * Releases objects that no record references: of interrupted uploads, and of files that were deleted with their vehicle.
 * Also has those deleted that could not be for a long time. Returns the number of released ones.
 */
export async function sweepBytes(
  context: StoreContext,
  options: { graceMs: number } = { graceMs },
): Promise<number> {
  let count = 0;
  let last: StoredObject | undefined = { provider: '', key: '' };
  while (last) {
    const page: (StoredObject & { orphaned: boolean; undeleted: boolean })[] =
      await context.db.query(selectPage, [last.provider, last.key, options.graceMs / 1_000]);
    const orphans = page.filter(({ orphaned }) => orphaned);
    for (const [provider, objects] of Map.groupBy(orphans, (object) => object.provider)) {
      const keys = objects.map(({ key }) => key);
      count += await context.db.transaction((tx) => releaseObjects(tx, context, provider, keys));
    }
    const undeleted = page.filter((object) => object.undeleted);
    for (const provider of new Set(undeleted.map((object) => object.provider)))
      await context.jobs.add(context.db, deleteBytesJob, { provider });
    last = page.length < pageSize ? undefined : page.at(-1);
  }
  return count;
}

// In pages, so that no statement takes long.
const selectPage = `
  with page as (
    select provider, key, created_at, released_at from stored_objects
    where (provider, key) > ($1, $2) order by provider, key limit ${pageSize}
  )
  select provider, key, coalesce(released_at <= now() - make_interval(secs => $3), false) as undeleted,
    released_at is null and created_at <= now() - make_interval(secs => $3)
      and not ${isReferenced('page')} as orphaned
  from page order by provider, key`;
