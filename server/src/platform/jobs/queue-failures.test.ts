import { expect, test } from 'vitest';
import { createTestQueue } from '../../testing/test-queue.ts';
import { openDatabase } from '../db/database.ts';
import { openQueue } from './queue.ts';

/** Workers that fail, that are missed, or whose database is. */

const { database, db, queue, errors, open, add, effects, states, completions, failure, kinds } =
  await createTestQueue();
const { record, block, fail, persist, together, merging } = kinds;

test('one that fails in a batch keeps none of the others, and is tried again alone', async () => {
  const worker = await open('two', true);
  for (const name of ['a', 'bad', 'c']) await add(name, together);
  await worker.work();
  await expect
    .poll(states, { timeout: 10_000 })
    .toEqual(expect.arrayContaining([expect.objectContaining({ state: 'retry' })]));
  await worker.close();
  const done = (await effects()).flatMap(({ name }) => name.split(' '));
  expect(done.sort()).toEqual(['a', 'c']);
  expect((await states()).map(({ state }) => state).sort()).toEqual([
    'completed',
    'completed',
    'retry',
  ]);
  const [failed] = await db.query<{ output: string }>(
    `select output::text from pgboss.job where state = 'retry'`,
  );
  expect(failed?.output).toContain('no bad');
  expect(failed?.output).not.toContain('of a customer');
});

test('a worker that was thought dead finds its job given to another, and its work is rolled back', async () => {
  const other = await open('other');
  await add('a', block);
  const late = queue.drain();
  await expect.poll(() => completions.length).toBe(1);
  // What the supervision does to a job whose heartbeat has stopped.
  await db.query(
    `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
  );
  const second = other.drain();
  await expect.poll(() => completions.length).toBe(2);

  // The late one ends first: the other has the job, and is in the middle of it.
  completions.shift()?.();
  await expect(late).rejects.toThrow(/given to another worker/);
  expect(await effects()).toEqual([]);
  completions.shift()?.();
  expect(await second).toBe(1);
  expect(await effects()).toEqual([{ name: 'a', tag: 'other' }]);
});

test('a job outside of a transaction keeps its effect when it fails, and ends when it is done again', async () => {
  await db.transaction((tx) => queue.add(tx, persist, { name: 'a' }));
  await expect(queue.drain()).rejects.toThrow('interrupted');
  expect(await effects()).toHaveLength(1);
  await db.query(
    `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
  );
  expect(await queue.drain()).toBe(1);
  expect(await effects()).toHaveLength(2);
  expect((await states()).map(({ state }) => state)).toEqual(['completed']);
});

test('a job whose effect was committed is not done again, though its worker is missed', async () => {
  await add('a');
  expect(await queue.drain()).toBe(1);
  await db.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour'`);
  await db.query('update pgboss.queue set monitor_on = null');
  const other = await open('other', true);
  await other.work();
  const supervised = () =>
    db.query(`select 1 from pgboss.queue where name = 'record' and monitor_on is not null`);
  await expect.poll(supervised, { timeout: 20_000 }).toHaveLength(1);
  await add('b');
  const names = async () => (await effects()).map(({ name }) => name);
  await expect.poll(names, { timeout: 20_000 }).toEqual(['a', 'b']);
  await other.close();
  expect((await states()).map(({ state }) => state)).toEqual(['completed', 'completed']);
});

test('a failure leaves no effect and backs off; given up, a job is listed, and done when it is tried again', async () => {
  const working = await open('working', true);
  await working.work();
  await add('a', fail);
  const jobStates = async () => (await states()).map(({ state }) => state);
  await expect.poll(jobStates, { timeout: 20_000 }).toEqual(['retry']);
  expect(await effects()).toEqual([]);
  expect(errors.map(String)).toContain('Error: failed on purpose');
  const waits = await db.query(
    `select 1 from pgboss.job where start_after > started_on + interval '1 second' or start_after > now()`,
  );
  expect(waits).toHaveLength(1);
  expect(await working.listDead()).toEqual([]);

  // Its last retry, due now.
  await db.query('update pgboss.job set retry_limit = 1, start_after = now()');
  await expect
    .poll(() => working.listDead(), { timeout: 20_000 })
    .toEqual([
      {
        id: expect.any(String),
        name: 'fail',
        payload: { name: 'a' },
        addedAt: expect.stringMatching(/Z$/),
        tries: 2,
        error: 'failed on purpose',
      },
    ]);
  expect(await effects()).toEqual([]);

  failure.isOn = false;
  const [{ id } = { id: '' }] = await working.listDead();
  expect(await working.retry(['00000000-0000-4000-8000-000000000000'])).toBe(0);
  expect(await working.retry([id])).toBe(1);
  expect(await working.listDead()).toEqual([]);
  await expect.poll(effects, { timeout: 20_000 }).toEqual([{ name: 'a', tag: 'working' }]);
  await working.close();
});

test('dead jobs of one key are one when they are tried again, and join one that waits', async () => {
  const makeDead = async (name: string) => {
    await add(name);
    const last = `update pgboss.job set retry_limit = 0 where state = 'created' and name = 'record'`;
    await db.query(last);
    const [taken] = await db.query<{ id: string }>(
      `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 hour'
       where state = 'created' and name = 'record' returning id`,
    );
    expect(taken).toBeDefined();
  };
  const working = await open('working', true);
  for (const name of ['a', 'a', 'b']) await makeDead(name);
  await db.query('update pgboss.queue set monitor_on = null');
  const deadPayloads = async () => (await queue.listDead()).map(({ payload }) => payload);
  await expect
    .poll(deadPayloads, { timeout: 20_000 })
    .toEqual(expect.arrayContaining([{ name: 'a' }, { name: 'a' }, { name: 'b' }]));
  await working.close();

  await add('b');
  expect(await queue.retry((await queue.listDead()).map(({ id }) => id))).toBe(3);
  expect(await queue.listDead()).toEqual([]);
  expect(await queue.drain()).toBe(2);
  expect((await effects()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
});

test('dead jobs of a kind that merges them are merged into one that waits when they are tried again', async () => {
  for (const name of ['a1', 'a3', 'b1'])
    await db.query(
      `insert into pgboss.job (name, data, source_name, source_created_on) values ('dead', $1, 'merging', now())`,
      [{ name }],
    );
  await add('a2', merging);
  const [other] = (await queue.listDead()).filter(
    ({ payload }) => 'b1' === (payload as { name: string }).name,
  );
  expect(await queue.retry([other?.id ?? ''])).toBe(1);
  expect(await queue.retry()).toBe(2);
  expect(await queue.listDead()).toEqual([]);
  await queue.drain();
  expect((await effects()).map(({ name }) => name).sort()).toEqual(['a1 a2 a3', 'b1']);
});

test('an unavailable database is logged at intervals, not by every kind of job each second', async () => {
  const unavailable = openDatabase(database.connection, {
    poolSize: 2,
    statementTimeoutMs: 10_000,
  });
  const queries: string[] = [];
  const logged: unknown[] = [];
  const one = await openQueue<{ tag: string }>(
    {
      ...unavailable,
      rawQuery(text, values) {
        queries.push(text);
        return unavailable.rawQuery(text, values);
      },
    },
    {
      kinds: [record, block, fail],
      dependencies: () => ({ tag: 'unavailable' }),
      runsJobs: true,
      onError: (error) => logged.push(error),
    },
  );
  await one.work();
  await unavailable.close();
  queries.length = 0;
  await expect.poll(() => queries.length, { timeout: 20_000 }).toBeGreaterThan(6);
  expect(logged).toHaveLength(1);
  await one.close();
});
