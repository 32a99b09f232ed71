import { job } from '../../platform/jobs/job.ts';
import { deleteStoredObject, graceMs, type StoreContext } from './stored-objects.ts';

export const sweepBytesJob = job({
  name: 'sweep-bytes',
  key: () => 'all',
  cron: '11 * * * *',
  // The blob store is outside of the transaction.
  transactional: false,
  async run(_payload: object, context: StoreContext) {
    const { errors } = await sweepBytes(context);
    if (errors.length > 0) throw new AggregateError(errors, 'Some bytes could not be removed.');
  },
});

type SweepResult = { removed: number; errors: unknown[] };

type StoredObject = { provider: string; key: string };

const pageSize = 1_000;

/**
 * Deletes objects that no record references: of interrupted uploads, and of files that were deleted with their vehicle.
 * A failure does not stop the others.
 */
export async function sweepBytes(
  context: StoreContext,
  options: { graceMs: number } = { graceMs },
): Promise<SweepResult> {
  const result: SweepResult = { removed: 0, errors: [] };
  let last: StoredObject | undefined = { provider: '', key: '' };
  while (last) {
    const page: (StoredObject & { orphaned: boolean })[] = await context.db.query(selectPage, [
      last.provider,
      last.key,
      options.graceMs / 1_000,
    ]);
    for (const { provider, key } of page.filter(({ orphaned }) => orphaned)) {
      try {
        if (await deleteStoredObject(context, provider, key)) result.removed++;
      } catch (error) {
        result.errors.push(error);
      }
    }
    last = page.length < pageSize ? undefined : page.at(-1);
  }
  return result;
}

// In pages, so that no statement takes long.
const selectPage = `
  with page as (
    select provider, key, created_at from stored_objects
    where (provider, key) > ($1, $2) order by provider, key limit ${pageSize}
  )
  select provider, key,
    created_at <= now() - make_interval(secs => $3) and not exists (
      select 1 from blobs where blobs.provider = page.provider and blobs.object_key = page.key
    ) and not exists (
      select 1 from vehicle_image_files f where f.provider = page.provider and f.object_key = page.key
    ) as orphaned
  from page order by provider, key`;
