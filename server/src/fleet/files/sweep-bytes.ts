import { job } from '../../platform/jobs/job.ts';
import { runForEach } from '../../platform/jobs/run-for-each.ts';
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

type StoredObject = { key: string; orphaned: boolean; undeleted: boolean };

const pageSize = 1_000;

/**
 * Releases objects that no record references: of interrupted uploads, and of files that were deleted with their vehicle.
 * Also has those deleted that could not be for a long time. Returns the number of released ones.
 */
export async function sweepBytes(
  context: StoreContext,
  options: { graceMs: number } = { graceMs },
): Promise<number> {
  const providers = await context.db.query<{ id: string }>('select id from providers order by id');
  let count = 0;
  const sweep = async ({ id }: { id: string }) => {
    count += await sweepProvider(context, id, options.graceMs);
  };
  await runForEach(providers, sweep, 'Some bytes could not be swept.');
  return count;
}

async function sweepProvider(
  context: StoreContext,
  provider: string,
  graceMs: number,
): Promise<number> {
  const { db, jobs } = context;
  let count = 0;
  let hasUndeleted = false;
  let last: string | undefined = '';
  while (last !== undefined) {
    const page: StoredObject[] = await db.query(selectPage, [provider, last, graceMs / 1_000]);
    const orphans = page.filter(({ orphaned }) => orphaned).map(({ key }) => key);
    if (orphans.length > 0)
      count += await db.transaction((tx) => releaseObjects(tx, context, provider, orphans));
    hasUndeleted ||= page.some(({ undeleted }) => undeleted);
    last = page.length < pageSize ? undefined : page.at(-1)?.key;
  }
  if (hasUndeleted) await jobs.add(db, deleteBytesJob, { provider });
  return count;
}

// In pages, so that no statement takes long.
const selectPage = `
  select o.key, coalesce(o.released_at <= now() - make_interval(secs => $3), false) as undeleted,
    o.released_at is null and o.created_at <= now() - make_interval(secs => $3)
      and not ${isReferenced('o', '$1')} as orphaned
  from stored_objects o where o.provider = $1 and o.key > $2 order by o.key limit ${pageSize}`;
