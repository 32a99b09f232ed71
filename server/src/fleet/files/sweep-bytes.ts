import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';
import { discard } from './blob.ts';
import { graceMs } from './stored-bytes.ts';

type Given = Pick<Dependencies, 'db' | 'blobs'>;

export const sweepBytesJob = job({
  name: 'sweep-bytes',
  key: () => '',
  cron: '11 * * * *',
  // The store takes no part in a transaction.
  transactional: false,
  async run(_payload: object, dependencies: Given) {
    const { errors } = await sweepBytes(dependencies);
    if (errors.length > 0) throw new AggregateError(errors, 'Some bytes could not be removed.');
  },
});

export type Swept = { removed: number; errors: unknown[] };

type StoredObject = { provider: string; key: string };

const pageSize = 1_000;

/**
 * Removes bytes that no record owns: of uploads that were cut short, and of files that were deleted with their vehicle.
 * One that cannot be removed keeps none of the others.
 */
export async function sweepBytes(
  dependencies: Given,
  options: { graceMs: number } = { graceMs },
): Promise<Swept> {
  const swept: Swept = { removed: 0, errors: [] };
  let last: StoredObject | undefined = { provider: '', key: '' };
  while (last) {
    const page: (StoredObject & { unowned: boolean })[] = await dependencies.db.query(selectPage, [
      last.provider,
      last.key,
      options.graceMs / 1_000,
    ]);
    for (const { provider, key } of page.filter(({ unowned }) => unowned)) {
      try {
        if (await discard(dependencies, provider, key)) swept.removed++;
      } catch (error) {
        swept.errors.push(error);
      }
    }
    last = page.length < pageSize ? undefined : page.at(-1);
  }
  return swept;
}

// In pages, so that no statement takes long, however many objects there are.
const selectPage = `
  with page as (
    select provider, key, created_at from stored_objects
    where (provider, key) > ($1, $2) order by provider, key limit ${pageSize}
  )
  select provider, key,
    created_at <= now() - make_interval(secs => $3) and not exists (
      select 1 from blobs where blobs.provider = page.provider and blobs.object_key = page.key
    ) as unowned
  from page order by provider, key`;
