import type { Database } from '../../platform/db/database.ts';
import {
  createMonthlyPartitions,
  dropMonthlyPartitions,
} from '../../platform/db/monthly-partitions.ts';
import { job } from '../../platform/jobs/job.ts';
import { runForEach } from '../../platform/jobs/run-for-each.ts';
import type { Dependencies } from '../dependencies.ts';
import { enqueuePositionErasures } from './erase-expired-positions.ts';

const table = 'vehicle_history';

/** Creates the partitions of the months to come, drops those older than the history, and has expired positions erased. */
export const maintainPartitions = job({
  name: 'maintain-partitions',
  key: () => 'all',
  cron: '17 2 * * *',
  // A partition is detached concurrently, which PostgreSQL does in no transaction.
  transactional: false,
  async run(_payload: object, { db, owner, jobs, clock, settings }: Dependencies) {
    const steps = [
      () => createPartitions(owner, settings.historyDays, clock.now()),
      () => dropPartitions(owner, settings.historyDays, clock.now()),
      () => db.transaction((tx) => enqueuePositionErasures(tx, jobs)),
    ];
    // A month cannot be dropped while a backup reads it.
    await runForEach(steps, (step) => step(), 'The partitions could not be maintained.');
  },
});

/** Creates the missing partitions, from the oldest month of the history to some months ahead. */
export function createPartitions(db: Database, historyDays: number, now: Date): Promise<void> {
  return createMonthlyPartitions(db, table, startOf(historyDays, now), now);
}

/** Drops the months older than the history. */
export function dropPartitions(db: Database, historyDays: number, now: Date): Promise<void> {
  return dropMonthlyPartitions(db, table, startOf(historyDays, now));
}

function startOf(historyDays: number, now: Date): Date {
  return new Date(now.getTime() - historyDays * 86_400_000);
}
