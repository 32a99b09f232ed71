import type { Database, Queryable } from './database.ts';

/** The job that creates partitions may fail for so long before a write does. */
const monthsAhead = 2;
const createLock = 7_004;
const dropLock = 7_005;

/** Creates the missing partitions of a table, from a month to some months ahead, without blocking writers. */
export async function createMonthlyPartitions(
  db: Database,
  parent: string,
  from: Date,
  now: Date,
): Promise<void> {
  const newest = monthOf(now) + monthsAhead;
  await db.transaction(async (tx) => {
    // Several processes may start at once.
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [createLock, parent]);
    const existing = new Set((await listPartitions(tx, parent)).map(({ month }) => month));
    for (let month = monthOf(from); month <= newest; month += 1) {
      if (existing.has(month)) continue;
      // `create table … partition of` would lock the parent against its writers.
      const name = nameOf(parent, month);
      await tx.queryUnprepared(`create table ${name} (like ${parent} including all)`);
      await tx.queryUnprepared(
        `alter table ${parent} attach partition ${name}
         for values from ('${firstDayOf(month)}') to ('${firstDayOf(month + 1)}')`,
      );
    }
  });
}

/** Drops the months before that of `keptFrom`, also those that an earlier attempt detached, or began to. */
export async function dropMonthlyPartitions(
  db: Database,
  parent: string,
  keptFrom: Date,
): Promise<void> {
  const oldest = monthOf(keptFrom);
  await db.session(async (session) => {
    const [lock] = await session.query<{ acquired: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as acquired',
      [dropLock, parent],
    );
    // Another process drops them.
    if (!lock?.acquired) return;
    const [citus] = await session.query(`select from pg_extension where extname = 'citus'`);
    const detach = citus ? detachWithLock : detachConcurrently;
    for (const partition of await listPartitions(session, parent)) {
      if (partition.month >= oldest && !partition.pending) continue;
      await detach(session, parent, partition);
      await session.queryUnprepared(`drop table ${nameOf(parent, partition.month)}`);
    }
    await session.query('select pg_advisory_unlock($1, hashtext($2))', [dropLock, parent]);
  });
}

type Partition = { month: number; attached: boolean; pending: boolean };

/** Every month that has a table. One that is about to be detached comes first: before it is, no other can be. */
async function listPartitions(db: Queryable, parent: string): Promise<Partition[]> {
  const tables = await db.query<{ name: string; attached: boolean; pending: boolean }>(
    `select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
     from pg_class parent
     join pg_class c on c.relnamespace = parent.relnamespace and c.relkind = 'r'
       and c.relname ~ ('^' || parent.relname || '_\\d{4}_\\d{2}$')
     left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = parent.oid
     where parent.oid = $1::regclass
     order by pending desc, name`,
    [parent],
  );
  return tables.map(({ name, attached, pending }) => {
    const [year = 0, number = 0] = name.split('_').slice(-2).map(Number);
    return { month: year * 12 + number - 1, attached, pending };
  });
}

async function detachConcurrently(
  session: Queryable,
  parent: string,
  partition: Partition,
): Promise<void> {
  if (!partition.attached) return;
  const how = partition.pending ? 'finalize' : 'concurrently';
  await session.queryUnprepared(
    `alter table ${parent} detach partition ${nameOf(parent, partition.month)} ${how}`,
  );
}

/** Citus detaches under an exclusive lock only: rather than block writers, the job fails and is retried. */
export async function detachWithLock(
  session: Queryable,
  parent: string,
  partition: Partition,
): Promise<void> {
  if (!partition.attached) return;
  await session.queryUnprepared('set lock_timeout = 2000');
  await session.queryUnprepared(
    `alter table ${parent} detach partition ${nameOf(parent, partition.month)}`,
  );
  await session.queryUnprepared('reset lock_timeout');
}

function nameOf(parent: string, month: number): string {
  return `${parent}_${yearAndMonth(month).replace('-', '_')}`;
}

function firstDayOf(month: number): string {
  return `${yearAndMonth(month)}-01 00:00:00+00`;
}

function yearAndMonth(month: number): string {
  const [year, index] = [Math.floor(month / 12), month % 12];
  return `${String(year).padStart(4, '0')}-${String(index + 1).padStart(2, '0')}`;
}

/** Months since the year 0. */
function monthOf(time: Date): number {
  return time.getUTCFullYear() * 12 + time.getUTCMonth();
}
