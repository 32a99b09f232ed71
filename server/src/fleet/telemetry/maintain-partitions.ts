import type { Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import type { JobDependencies } from '../dependencies.ts';

/** Months ahead that have their partition: the upkeep may fail for so long before a message does. */
const monthsAhead = 2;

/** The daily upkeep of the history: partitions for the months to come, none for those past keeping. */
export const maintainPartitionsJob = job({
  name: 'maintain-partitions',
  key: () => '',
  cron: '17 2 * * *',
  run: (_payload: object, { tx, telemetry }: JobDependencies & { tx: Queryable }) =>
    maintainPartitions(tx, telemetry.historyDays),
});

/** Makes the partitions from the oldest month that is kept to some months ahead, and drops older ones. */
export async function maintainPartitions(
  tx: Queryable,
  historyDays: number,
  now = new Date(),
): Promise<void> {
  const oldest = monthOf(new Date(now.getTime() - historyDays * 86_400_000));
  const newest = monthOf(now) + monthsAhead;
  // One after the other, where several processes start at once. Messages go on meanwhile.
  await tx.queryUnprepared('lock table vehicle_history in share update exclusive mode');
  const existing = await tx.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'vehicle_history'::regclass`,
  );
  const months = new Set(existing.map(({ name }) => Number(name.slice(prefix.length))));
  for (let month = oldest; month <= newest; month += 1) {
    if (months.has(month)) continue;
    await tx.queryUnprepared(
      `create table ${prefix}${month} partition of vehicle_history
       for values from ('${firstDayOf(month)}') to ('${firstDayOf(month + 1)}')`,
    );
  }
  for (const month of months) {
    if (month < oldest) await tx.queryUnprepared(`drop table ${prefix}${month}`);
  }
}

const prefix = 'vehicle_history_';

/** Months since the year 0, which also name the partitions. */
function monthOf(time: Date): number {
  return time.getUTCFullYear() * 12 + time.getUTCMonth();
}

function firstDayOf(month: number): string {
  const [year, index] = [Math.floor(month / 12), month % 12];
  return `${String(year).padStart(4, '0')}-${String(index + 1).padStart(2, '0')}-01 00:00:00+00`;
}
