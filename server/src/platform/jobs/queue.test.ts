import { expect, test } from 'vitest';
import { lockWaits } from '../../testing/lock-waits.ts';
import { createTestQueue } from '../../testing/test-queue.ts';
import { openDatabase, type Queryable } from '../db/database.ts';
import { maintainQueue } from './install.ts';

const { database, db, queue, open, add, effects, states, completions, kinds } =
  await createTestQueue();
const { record, block, countDown, together, merging } = kinds;

test('a job is done once, with its payload', async () => {
  await add('a');
  expect(await queue.drain()).toBe(1);
  expect(await queue.drain()).toBe(0);
  expect(await effects()).toEqual([{ name: 'a', tag: 'one' }]);
});

test('a transaction that is taken back leaves no job', async () => {
  const gone = db.transaction(async (tx) => {
    await queue.add(tx, record, { name: 'a' });
    throw new Error('changed my mind');
  });
  await expect(gone).rejects.toThrow('changed my mind');
  expect(await queue.drain()).toBe(0);
});

test('jobs of one key are one as long as none has begun; other keys are others', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, index) => add(index % 2 ? 'odd' : 'even')));
  expect(await queue.drain()).toBe(2);
  await add('odd');
  expect(await queue.drain()).toBe(1);
});

test('jobs of a key whose kind merges them are one that does what all were to do', async () => {
  for (const name of ['a2', 'a1', 'b1', 'a3']) await add(name, merging);
  expect(await queue.drain()).toBe(2);
  expect((await effects()).map(({ name }) => name).sort()).toEqual(['a1 a2 a3', 'b1']);
});

test('a job that is to start later is not run before, and one of its key that is added meanwhile waits with it', async () => {
  const addLater = () =>
    db.transaction((tx) => queue.add(tx, record, { name: 'a' }, { startAfterSeconds: 3_600 }));
  await addLater();
  await add('a');
  expect(await queue.drain()).toBe(0);
  await db.query('update pgboss.job set start_after = now()');
  await addLater();
  expect(await queue.drain()).toBe(1);
});

test('adding a job does not read the others that wait', async () => {
  const count = 200;
  const rowsRead = await db.transaction(async (tx) => {
    for (let index = 0; index < count; index++) await queue.add(tx, record, { name: `${index}` });
    const [row] = await tx.query<{ read: number }>(
      `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_all_tables
       where schemaname = 'pgboss' and relname = 'job_common'`,
    );
    return row?.read;
  });
  expect(rowsRead).toBeLessThan(5 * count);
});

test('a job that is being done has not seen what came since: the next waits', async () => {
  await add('a', block);
  const first = queue.drain();
  await expect.poll(() => completions.length).toBe(1);
  await add('a', block);
  await add('a', block);
  expect((await states()).map(({ state }) => state)).toEqual(['active', 'created']);
  completions.pop()?.();
  await expect.poll(() => completions.length).toBe(1);
  completions.pop()?.();
  expect(await first).toBe(2);
});

test('a waiting job that is joined does not begin before the transaction ends', async () => {
  await add('a');
  await db.transaction(async (tx) => {
    await queue.add(tx, record, { name: 'a' });
    expect(await queue.drain()).toBe(0);
  });
  expect(await queue.drain()).toBe(1);
});

test('one that begins just before it could be joined is not enough: another is added', async () => {
  let statements = 0;
  const adding = { begun: () => {}, other: Promise.resolve() };
  const begun = new Promise<void>((resolve) => {
    adding.begun = resolve;
  });
  await db.transaction(async (tx) => {
    await queue.add(tx, record, { name: 'a' });
    adding.other = db.transaction(async (other) => {
      const rawQuery: Queryable['rawQuery'] = async (text, values) => {
        statements += 1;
        // The first looks for a waiting job; the second waits for the first transaction to end.
        if (statements === 2) adding.begun();
        if (statements === 3) expect(await queue.drain()).toBe(1);
        return other.rawQuery(text, values);
      };
      await queue.add({ ...other, rawQuery }, record, { name: 'a' });
    });
    await begun;
    await expect.poll(() => lockWaits(db)).toBe(1);
  });
  await adding.other;
  expect(statements).toBeGreaterThan(3);
  expect(await queue.drain()).toBe(1);
  expect(await effects()).toHaveLength(2);
});

test('jobs of a kind that takes batches are run together, each key once', async () => {
  for (const name of ['a', 'b', 'a', 'c']) await add(name, together);
  await queue.drain();
  expect((await effects()).map(({ name }) => name)).toEqual(['a b c']);
});

test('what a job adds is added with its effect, under its own key as well', async () => {
  await db.transaction((tx) => queue.add(tx, countDown, { from: 3 }));
  expect(await queue.drain()).toBe(4);
  expect((await effects()).map(({ name }) => name)).toEqual(['3', '2', '1', '0']);
});

test('the schedule of a job that is no longer periodic is removed', async () => {
  await db.query(`insert into pgboss.schedule (name, cron) values ($1, '0 0 * * *')`, [
    record.name,
  ]);
  const worker = await open('two', true);
  await worker.work();
  await worker.close();
  expect(await db.query('select name from pgboss.schedule')).toEqual([]);
});

test('the indexes of the queue are kept by its owner', async () => {
  const checkedAt = async () =>
    (await db.query<{ at: string | null }>('select reindex_on as at from pgboss.version'))[0]?.at;
  await queue.drain();
  expect(await checkedAt()).toBeNull();
  const owner = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await maintainQueue.run({}, { owner, jobs: queue });
  await owner.close();
  expect(await checkedAt()).not.toBeNull();
});
