import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Database, openDatabase, type Queryable } from '../../platform/db/database.ts';
import { detachWithLock } from '../../platform/db/monthly-partitions.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { startTestService } from '../../testing/test-service.ts';
import { createPartitions, dropPartitions, maintainPartitions } from './maintain-partitions.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = open();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => keep(60));

const open = (statementTimeoutMs = 10_000) =>
  openDatabase(database.owner, { poolSize: 4, statementTimeoutMs });
const now = new Date('2026-11-15T12:00:00Z');
async function keep(days: number, on = db): Promise<void> {
  await createPartitions(on, days, now);
  await dropPartitions(on, days, now);
}

async function months(): Promise<string[]> {
  const rows = await db.query<{ bound: string }>(
    `select substring(pg_get_expr(c.relpartbound, c.oid) from '\\d{4}-\\d{2}') as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'vehicle_history'::regclass order by 1`,
  );
  return rows.map(({ bound }) => bound);
}

async function tables(): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname like 'vehicle\\_history\\_%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

const write = (on: Queryable, time: string) =>
  on.query('insert into vehicle_history (provider, vehicle_id, time) values ($1, $2, $3)', [
    'DE-ABC',
    'DE*ABC*1',
    time,
  ]);

/** Runs `work` while a transaction has written to the history and has not ended. */
async function duringWrite(work: () => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await write(tx, `2026-11-01T00:00:${String(writes++).padStart(2, '0')}Z`);
    await work();
  });
}
let writes = 0;

test('there are partitions from the oldest month that is kept to two months ahead, and no other', async () => {
  const kept = ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01'];
  expect(await months()).toEqual(kept);
  await keep(60);
  expect(await months()).toEqual(kept);
  await keep(365);
  expect(await months()).toHaveLength(15);
  expect(await tables()).toEqual(
    (await months()).map((month) => `vehicle_history_${month.replace('-', '_')}`),
  );
});

test('the job keeps them as the owner, which the role of the service is not', async () => {
  const service = await startTestService({ database, clock: { now: () => now } });
  try {
    await db.queryUnprepared('drop table vehicle_history_2027_01');
    await expect(createPartitions(service.db, 60, now)).rejects.toThrow('permission denied');
    await service.db.transaction((tx) => service.dependencies.jobs.add(tx, maintainPartitions, {}));
    await service.runJobs();
    expect(await months()).toContain('2027-01');
    await service.db.query(`insert into vehicle_history (provider, vehicle_id, time)
      values ('DE-ABC', 'DE*ABC*1', '2027-01-05T00:00:00Z')`);
    await service.db.query(`delete from vehicle_history where time > '2027-01-01'`);
  } finally {
    await service.stop();
  }
});

test('a new partition has the key of the others', async () => {
  await write(db, '2026-12-31T23:59:59.999Z');
  await expect(write(db, '2026-12-31T23:59:59.999Z')).rejects.toThrow('duplicate key');
});

test('processes that start at once create and drop every partition once', async () => {
  for (const days of [900, 60, 900, 60]) {
    await Promise.all([keep(days), keep(days), keep(days)]);
    expect(await months()).toHaveLength(days === 60 ? 5 : 33);
  }
});

test('partitions are created while a transaction writes to the history', async () => {
  const name = database.owner.database;
  await db.queryUnprepared(`alter database ${name} set lock_timeout = 200`);
  const impatient = open();
  await duringWrite(async () => {
    await createPartitions(impatient, 365, now);
    expect(await months()).toHaveLength(15);
  });
  await impatient.close();
  await db.queryUnprepared(`alter database ${name} reset lock_timeout`);
});

test('a partition is dropped after the transactions that may use it, and new ones write meanwhile', async () => {
  await keep(365);
  let dropping = Promise.resolve();
  await duringWrite(async () => {
    dropping = dropPartitions(db, 60, now);
    const pending = 'select from pg_inherits where inhdetachpending';
    await expect.poll(() => db.query(pending)).toHaveLength(1);
    await write(db, '2026-11-02T00:00:00Z');
  });
  await dropping;
  expect(await months()).toHaveLength(5);
});

test('what an interrupted attempt left is dropped by the next', async () => {
  await keep(365);
  await db.queryUnprepared('alter table vehicle_history detach partition vehicle_history_2026_01');
  const impatient = open(200);
  await duringWrite(() => expect(dropPartitions(impatient, 60, now)).rejects.toThrow('timeout'));
  await impatient.close();
  expect(await months()).toHaveLength(14);
  expect(await tables()).toHaveLength(15);
  // The server may notice a moment later that the interrupted session, which has the lock, is closed.
  await vi.waitFor(async () => {
    await dropPartitions(db, 60, now);
    expect(await tables()).toHaveLength(5);
  });
});

test('where a partition can only be detached under a lock, writers do not wait for it long', async () => {
  await keep(365);
  const partition = { month: 2026 * 12, attached: true, pending: false };
  const detach = () =>
    db.session((session) => detachWithLock(session, 'vehicle_history', partition));
  await duringWrite(() => expect(detach()).rejects.toThrow('lock timeout'));
  expect(await months()).toContain('2026-01');
  await detach();
  expect(await months()).not.toContain('2026-01');
});
