import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestQueue } from '../../testing/test-queue.ts';
import { type Database, openDatabase } from '../db/database.ts';
import type { Workload } from '../db/workload.ts';
import { createBatchTurns } from './batch-turns.ts';

/** Jobs of one tenant do not keep those of others waiting. */

const { database, db, queue, errors, open, note, add, effects, states, running, finish, kinds } =
  await createTestQueue();
const { long, step, together, merging } = kinds;

test('those of each tenant are run apart, and all that fail of one keep none of another', async () => {
  for (const name of ['x:a', 'y:b', 'x:c']) await add(name, together);
  await queue.drain();
  expect((await effects()).map(({ name }) => name).sort()).toEqual(['x:a x:c', 'y:b']);

  const worker = await open('two', true);
  for (const name of ['bad:a', 'bad:b', 'y:c']) await add(name, together);
  await worker.work();
  await expect
    .poll(async () => (await effects()).map(({ name }) => name), { timeout: 10_000 })
    .toContain('y:c');
  await worker.close();
});

test('tenants take turns at batches, however many jobs of others wait before', async () => {
  const many = (tenant: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${tenant}:${index}`);
  for (const name of [...many('x', 15), ...many('z', 6), ...many('y', 1)])
    await add(name, together);
  const worker = await open('worker', true);
  await worker.work();
  const left = async () => (await states()).filter(({ state }) => state !== 'completed');
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  await worker.close();
  const [first, second, ...others] = (await effects()).map(({ name }) => name.slice(0, 1));
  expect([first, second, others.slice(0, 2).sort()]).toEqual(['x', 'z', ['x', 'y']]);
});

test.each([
  ['less than a batch', 2, 'after a rest', 1],
  ['nothing', 0, 'after a rest', 1],
  ['a batch', 3, 'after the next one', 2],
])(
  'where %s of other tenants waits (%i), more is looked for %s',
  async (_, count, _when, expected) => {
    for (let index = 0; index < count; index++) await add(`y:${index}`, together);
    let looks = 0;
    const rawQuery: Database['rawQuery'] = async (text, values) => {
      looks += 1;
      // It rests for a multiple of this.
      await sleep(100);
      return db.rawQuery(text, values);
    };
    const endTurn = createBatchTurns({ ...db, rawQuery }, together);
    const batch = Array.from({ length: 3 }, (_, index) => ({ name: `x:${index}` }));
    for (let turn = 0; turn < 2; turn++) await endTurn(batch);
    expect(looks).toBe(expected);
  },
);

test('turns that cannot be given are logged, fail no job, and are not tried at once again', async () => {
  let looks = 0;
  const rawQuery: Database['rawQuery'] = async (text, values) => {
    if (!text.includes('set priority')) return db.rawQuery(text, values);
    looks += 1;
    await sleep(100);
    throw new Error('no turns');
  };
  const endTurn = createBatchTurns({ ...db, rawQuery }, together);
  const batch = ['x:a', 'x:b', 'x:c'].map((name) => ({ name }));
  await expect(endTurn(batch)).rejects.toThrow('no turns');
  await endTurn(batch);
  expect(looks).toBe(1);

  errors.length = 0;
  for (const { name } of batch) await add(name, together);
  const worker = await open('worker', true, { on: { ...db, rawQuery } });
  await worker.work();
  await expect.poll(() => errors).toMatchObject([{ message: 'no turns' }]);
  await worker.close();
  for (const one of await states()) expect(one).toEqual({ state: 'completed', count: 0 });
});

test.each([
  ['outside of a transaction', long],
  ['in a transaction', step],
])(
  'a tenant has one job %s at a time, and others do not wait for all of its jobs',
  async (_, kind) => {
    for (const name of ['a1', 'a2', 'a3', 'b1']) await add(name, kind);
    const worker = await open('worker', true);
    await worker.work();
    const tenants = () => [...running.keys()].map((name) => name.slice(0, 1)).sort();
    for (let number = 0; number < 3; number++) {
      await expect.poll(tenants).toEqual(['a', 'b']);
      finish([...running.keys()].find((name) => name.startsWith('a')));
    }
    finish('b1');
    await worker.close();
    expect((await effects()).map(({ name }) => name).sort()).toEqual(['a1', 'a2', 'a3', 'b1']);
  },
);

test.each([
  ['of each are finished', () => true],
  ['of one alone are finished, as a job of the other is long', (name: string) => name < 'b'],
])(
  'tenants take turns at single jobs, however many of others wait before: %s',
  async (_, isFinished) => {
    const many = (tenant: string) => Array.from({ length: 8 }, (_, index) => `${tenant}${index}`);
    for (const name of [...many('a'), ...many('b'), 'c']) await add(name, step);
    const worker = await open('worker', true);
    await worker.work();
    let finished = 0;
    while (!running.has('c')) {
      await expect.poll(() => running.size).toBe(2);
      if (running.has('c')) break;
      const next = [...running.keys()].find(isFinished) ?? '';
      finish(next);
      finished += 1;
      await expect.poll(() => running.has(next)).toBe(false);
    }
    expect(finished).toBeLessThan(8);
    const closing = worker.close();
    for (const name of running.keys()) finish(name);
    await closing;
  },
);

/** Occupies connections of a tenant until the function that it returns is called. */
async function occupy(on: Database, tenant: string, workload: Workload, count: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const occupied = Array.from({ length: count }, () =>
    on.forTenant(tenant, workload).transaction(async (tx) => {
      await tx.query('select 1');
      begun += 1;
      await released;
    }),
  );
  await expect.poll(() => begun).toBe(count);
  return async () => {
    release();
    await Promise.all(occupied);
  };
}

/** How often a job of the key was added, or put back as a new one. */
const timesAdded = async (key: string) =>
  (await db.query('select 1 from pgboss.job where singleton_key = $1', [key])).length;
test('a job waits for the connections of its tenant alone, and uses up no try when it gets none', async () => {
  const on = openDatabase(database.connection, {
    poolSize: 10,
    statementTimeoutMs: 10_000,
    maxWaitMs: 2_000,
  });
  const releases = [await occupy(on, 'jobs', 'internal', 5), await occupy(on, 'a', 'jobs', 2)];
  errors.length = 0;
  for (const name of ['a1', 'b1']) await add(name, step);
  const worker = await open('worker', true, { on });
  await worker.work();
  await expect.poll(() => timesAdded('a1')).toBeGreaterThan(1);
  await expect.poll(() => [...running.keys()]).toEqual(['b1']);
  for (const release of releases) await release();
  await expect.poll(() => [...running.keys()]).toEqual(['b1', 'a1']);
  for (const name of ['a1', 'b1']) finish(name);
  await worker.close();
  await on.close();
  expect(errors).toEqual([]);
  expect((await effects()).map(({ name }) => name).sort()).toEqual(['a1', 'b1']);
  for (const one of await states()) expect(one).toEqual({ state: 'completed', count: 0 });
});

test('jobs of a batch whose records are locked are put back, and those of other tenants do not wait', async () => {
  await note(db, 'lock', 'one');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const locked = db.transaction(async (tx) => {
    await tx.query(`select 1 from effects where name = 'lock' for update`);
    for (const name of ['x:locked', 'y:free']) await add(name, together);
    await released;
  });
  const worker = await open('worker', true);
  await worker.work();
  const names = async () => (await effects()).map(({ name }) => name);
  await expect.poll(names).toContain('y:free');
  await expect.poll(() => timesAdded('x:locked')).toBeGreaterThan(1);
  release();
  await locked;
  await expect.poll(names).toContain('x:locked');
  await worker.close();
  for (const one of await states()) expect(one).toEqual({ state: 'completed', count: 0 });
});

test('a job whose records are locked is merged into the one of its key that waits', async () => {
  await note(db, 'lock', 'one');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const locked = db.transaction(async (tx) => {
    await tx.query(`select 1 from effects where name = 'lock' for update`);
    await released;
  });
  await add('a1', merging);
  const worker = await open('worker', true);
  await worker.work();
  await expect.poll(async () => (await states()).map(({ state }) => state)).toEqual(['active']);
  await add('a2', merging);
  const waiting = () =>
    db.query(`select data from pgboss.job where state < 'active' and data ->> 'name' like '% %'`);
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([{ data: { name: 'a1 a2' } }]);
  release();
  await locked;
  const names = async () => (await effects()).map(({ name }) => name);
  await expect.poll(names, { timeout: 10_000 }).toContain('a1 a2');
  await worker.close();
});

test('after a step, its worker rests as long as it took, and the tenant has no other meanwhile', async () => {
  const rests: { ms: number; end(): void }[] = [];
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      rests.push({ ms, end: resolve });
    });
  for (const name of ['a1', 'a2']) await add(name, step);
  const worker = await open('worker', true, { pause });
  await worker.work();
  await expect.poll(() => running.size).toBe(1);
  // Workers that fetch at the same moment may begin with either.
  const [first = ''] = running.keys();
  const second = first === 'a1' ? 'a2' : 'a1';
  const runningSince = performance.now();
  await add('b1', step);
  await expect.poll(() => [...running.keys()]).toEqual([first, 'b1']);
  const atLeastMs = performance.now() - runningSince;
  finish(first);
  await expect.poll(() => rests.length).toBe(1);
  expect(rests[0]?.ms).toBeGreaterThanOrEqual(atLeastMs);
  expect([...running.keys()]).toEqual(['b1']);
  rests[0]?.end();
  await expect.poll(() => [...running.keys()]).toEqual(['b1', second]);
  for (const name of [second, 'b1']) finish(name);
  await expect.poll(() => rests.length).toBe(3);
  for (const { end } of rests) end();
  await worker.close();
});
