import type { Database } from '../../platform/db/database.ts';
import { distinctProviders } from '../../platform/db/distinct-providers.ts';
import { runInBatches } from '../../platform/db/run-in-batches.ts';
import { job } from '../../platform/jobs/job.ts';
import { runForEach } from '../../platform/jobs/run-for-each.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import type { Dependencies } from '../dependencies.ts';

const batchSize = 5_000;

/** Removes events that are no longer kept, in real time, which is theirs. */
export const expireEvents = job({
  name: 'expire-events',
  key: () => 'all',
  cron: '41 * * * *',
  // Each batch is a transaction of its own.
  transactional: false,
  async run(_payload: object, { db, settings }: Dependencies) {
    const keptFrom = new Date(Date.now() - settings.eventsRetentionDays * DAY_MS);
    const rows = await db.query<{ provider: string }>(
      'select provider from event_sequences order by provider',
    );
    // Also of those that were removed.
    const changed = await db.query<{ provider: string }>(
      `${distinctProviders(db, 'status_changes')} order by provider`,
    );
    const expire = ({ provider }: { provider: string }) => expireOf(db, provider, keptFrom);
    const removals = [
      ...rows.map((row) => () => expire(row)),
      ...changed.map(
        ({ provider }) =>
          () =>
            db.query(deleteStatusChanges, [provider]),
      ),
      () => db.query('delete from status_watchers where watches_until < now()'),
    ];
    await runForEach(removals, (remove) => remove(), 'Some events could not be removed.');
  },
});

export function expireOf(db: Database, provider: string, keptFrom: Date): Promise<void> {
  return runInBatches(batchSize, async (size) => {
    const rows = await db.query(deleteOldest, [provider, keptFrom, size]);
    return rows.length < size;
  });
}

const deleteStatusChanges = `
  delete from status_changes where provider = $1 and changed_at < now() - interval '1 hour'`;

// The oldest first, so that numbers have no gaps: those behind one that is kept are kept.
const deleteOldest = `
  with oldest as (
    select number, occurred_at from event_log where provider = $1 order by number limit $3
  ), kept as (
    select min(number) as number from oldest where occurred_at >= $2
  )
  delete from event_log e using oldest o, kept
  where e.provider = $1 and e.number = o.number and (kept.number is null or o.number < kept.number)
  returning 1`;
