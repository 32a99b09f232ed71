import type { Database, Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';

/** The job may fail for so long before a message does. */
const monthsAhead = 2;
const createLock = 7_004;
const dropLock = 7_005;

/** Creates the partitions of the months to come, and drops those older than the history. */
export const maintainPartitions = job({
  name: 'maintain-partitions',
  key: () => 'all',
  cron: '17 2 * * *',
  // A partition is detached concurrently, which PostgreSQL does in no transaction.
  transactional: false,
  async run(_payload: object, { owner, clock, settings }: Dependencies) {
    await createPartitions(owner, settings.historyDays, clock.now());
    await dropPartitions(owner, settings.historyDays, clock.now());
  },
});

/** Creates the missing partitions, from the oldest month of the history to some months ahead, without blocking writers. */
export async function createPartitions(
  db: Database,
  historyDays: number,
  now: Date,
): Promise<void> {
  const newest = monthOf(now) + monthsAhead;
  await db.transaction(async (tx) => {
    // Several processes may start at once.
    await tx.query('select pg_advisory_xact_lock($1)', [createLock]);
    const existing = new Set((await listPartitions(tx)).map(({ month }) => month));
    for (let month = oldestMonth(historyDays, now); month <= newest; month += 1) {
      if (existing.has(month)) continue;
      // `create table … partition of` would lock the parent against its writers.
      const name = nameOf(month);
      await tx.queryUnprepared(`create table ${name} (like vehicle_history including all)`);
      await tx.queryUnprepared(
        `alter table vehicle_history attach partition ${name}
         for values from ('${firstDayOf(month)}') to ('${firstDayOf(month + 1)}')`,
      );
    }
  });
}

/** Drops the months older than the history, also those that an earlier attempt detached, or began to. */
export async function dropPartitions(db: Database, historyDays: number, now: Date): Promise<void> {
  const oldest = oldestMonth(historyDays, now);
  await db.session(async (session) => {
    const [lock] = await session.query<{ acquired: boolean }>(
      'select pg_try_advisory_lock($1) as acquired',
      [dropLock],
    );
    // Another process drops them.
    if (!lock?.acquired) return;
    const [citus] = await session.query(`select from pg_extension where extname = 'citus'`);
    const detach = citus ? detachWithLock : detachConcurrently;
    for (const partition of await listPartitions(session)) {
      if (partition.month >= oldest && !partition.pending) continue;
      await detach(session, partition);
      await session.queryUnprepared(`drop table ${nameOf(partition.month)}`);
    }
    await session.query('select pg_advisory_unlock($1)', [dropLock]);
  });
}

type Partition = { month: number; attached: boolean; pending: boolean };

/** Every month that has a table. One that is about to be detached comes first: before it is, no other can be. */
async function listPartitions(db: Queryable): Promise<Partition[]> {
  const tables = await db.query<{ name: string; attached: boolean; pending: boolean }>(
    `select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
     from pg_class parent
     join pg_class c on c.relnamespace = parent.relnamespace and c.relkind = 'r'
       and c.relname ~ '^vehicle_history_\\d{4}_\\d{2}$'
     left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = parent.oid
     where parent.oid = 'vehicle_history'::regclass
     order by pending desc, name`,
  );
  return tables.map(({ name, attached, pending }) => {
    const [year = 0, number = 0] = name.split('_').slice(-2).map(Number);
    return { month: year * 12 + number - 1, attached, pending };
  });
}

async function detachConcurrently(session: Queryable, partition: Partition): Promise<void> {
  if (!partition.attached) return;
  const how = partition.pending ? 'finalize' : 'concurrently';
  await session.queryUnprepared(
    `alter table vehicle_history detach partition ${nameOf(partition.month)} ${how}`,
  );
}

/** Citus detaches under an exclusive lock only: rather than block writers, the job fails and is retried. */
export async function detachWithLock(session: Queryable, partition: Partition): Promise<void> {
  if (!partition.attached) return;
  await session.queryUnprepared('set lock_timeout = 2000');
  await session.queryUnprepared(
    `alter table vehicle_history detach partition ${nameOf(partition.month)}`,
  );
  await session.queryUnprepared('reset lock_timeout');
}

function nameOf(month: number): string {
  return `vehicle_history_${yearAndMonth(month).replace('-', '_')}`;
}

function firstDayOf(month: number): string {
  return `${yearAndMonth(month)}-01 00:00:00+00`;
}

function yearAndMonth(month: number): string {
  const [year, index] = [Math.floor(month / 12), month % 12];
  return `${String(year).padStart(4, '0')}-${String(index + 1).padStart(2, '0')}`;
}

function oldestMonth(historyDays: number, now: Date): number {
  return monthOf(new Date(now.getTime() - historyDays * 86_400_000));
}

/** Months since the year 0. */
function monthOf(time: Date): number {
  return time.getUTCFullYear() * 12 + time.getUTCMonth();
}
