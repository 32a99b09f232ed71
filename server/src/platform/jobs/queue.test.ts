import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, type Queryable } from '../db/database.ts';
import type { Workload } from '../db/workload.ts';
import { maintainQueue } from './install.ts';
import { type Job, job } from './job.ts';
import { openQueue, type Queue } from './queue.ts';

let database: TestDatabase;
let db: Database;
let queue: Queue;
const opened: Queue[] = [];
const errors: unknown[] = [];

type Dependencies = { tag: string };
type Payload = { name: string };
type Given = Dependencies & { tx: Queryable };

const note = (tx: Queryable, name: string, tag: string) =>
  tx.query('insert into effects (name, tag) values ($1, $2)', [name, tag]);

/** Records an effect. */
const record = job({
  name: 'record',
  key: ({ name }: Payload) => name,
  run: async ({ name }: Payload, { tx, tag }: Given) => {
    await note(tx, name, tag);
  },
});

/** Records an effect, and then waits until the test lets it complete. */
const block = job({
  name: 'block',
  key: ({ name }: Payload) => name,
  run: async ({ name }: Payload, { tx, tag }: Given) => {
    await note(tx, name, tag);
    await new Promise<void>((resolve) => completions.push(resolve));
  },
});
const completions: (() => void)[] = [];

/** Records an effect, and fails as long as `isFailing`. */
const fail = job({
  name: 'fail',
  key: ({ name }: Payload) => name,
  run: async ({ name }: Payload, { tx, tag }: Given) => {
    await note(tx, name, tag);
    if (isFailing) throw new Error('failed on purpose');
  },
});
let isFailing = true;

/** Records an effect outside of a transaction, and fails the first time. */
const persist = job({
  name: 'persist',
  key: ({ name }: Payload) => name,
  transactional: false,
  run: async ({ name }: Payload, { tag }: Dependencies) => {
    const earlier = await effects();
    await note(db, name, tag);
    if (earlier.length === 0) throw new Error('interrupted');
  },
});

/** Waits until the test lets it complete; the first letter of its name is its tenant. */
const long = job({
  name: 'long',
  key: ({ name }: Payload) => name,
  transactional: false,
  tenant: ({ name }: Payload) => name.slice(0, 1),
  run: async ({ name }: Payload, { tag }: Dependencies) => {
    await note(db, name, tag);
    await new Promise<void>((resolve) => running.set(name, resolve));
  },
});
/** The same in a transaction. */
const step = job({
  name: 'step',
  key: ({ name }: Payload) => name,
  tenant: ({ name }: Payload) => name.slice(0, 1),
  run: async ({ name }: Payload, { tx, tag }: Given) => {
    await note(tx, name, tag);
    await new Promise<void>((resolve) => running.set(name, resolve));
  },
});
/** What ends each of these jobs that runs. */
const running = new Map<string, () => void>();

const finish = (name = '') => {
  running.get(name)?.();
  running.delete(name);
};

/** Each job adds the next, down to 0. */
const countDown: Job<{ from: number }, Dependencies> = job({
  name: 'count-down',
  key: () => 'count',
  async run({ from }: { from: number }, { tx, tag, jobs }) {
    await note(tx, `${from}`, tag);
    if (from > 0) await jobs.add(tx, countDown, { from: from - 1 });
  },
});

/** Records the effects of all that wait, as one text, and fails for those with a bad name. */
const together = job({
  name: 'together',
  key: ({ name }: Payload) => name,
  batchSize: 3,
  tenant: ({ name }: Payload) => /^\w+(?=:)/.exec(name)?.[0] ?? '',
  runBatch: async (payloads: readonly Payload[], { tx, tag }: Given) => {
    const names = payloads.map(({ name }) => name).sort();
    await note(tx, names.join(' '), tag);
    if (names.includes('x:locked'))
      await tx.query(`select 1 from effects where name = 'lock' for update`);
    if (names.some((name) => name.startsWith('bad'))) throw new Error(`no ${names.join(' ')}`);
  },
});

async function open(
  tag: string,
  runsJobs = false,
  options: { on?: Database; pause?: (ms: number) => Promise<void> } = {},
): Promise<Queue> {
  const { on = db, ...others } = options;
  const one = await openQueue<Dependencies>(on, {
    kinds: [record, block, fail, persist, long, step, countDown, together],
    dependencies: () => ({ tag }),
    runsJobs,
    onError: (error) => errors.push(error),
    ...others,
  });
  opened.push(one);
  return one;
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 10, statementTimeoutMs: 10_000 });
  const owner = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await owner.query('create table effects (name text, tag text)');
  await owner.query('grant all on effects to public');
  await owner.close();
  queue = await open('one');
});
afterEach(async () => {
  await db.query('delete from effects');
  await db.query('delete from pgboss.job');
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await db.close();
  await database.drop();
});

const add = (name: string, kind: Job<Payload, Given> = record) =>
  db.transaction((tx) => queue.add(tx, kind, { name }));
const effects = () => db.query<{ name: string; tag: string }>('select * from effects');
const states = () =>
  db.query<{ state: string; count: number }>(
    'select state::text, retry_count as count from pgboss.job order by created_on',
  );

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

const waitingForALock = `
  select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

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
    await expect.poll(() => db.query(waitingForALock)).toHaveLength(1);
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
});

test('what a job adds is added with its effect, under its own key as well', async () => {
  await db.transaction((tx) => queue.add(tx, countDown, { from: 3 }));
  expect(await queue.drain()).toBe(4);
  expect((await effects()).map(({ name }) => name)).toEqual(['3', '2', '1', '0']);
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

  isFailing = false;
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

test('an unavailable database is logged at intervals, not by every kind of job each second', async () => {
  const unavailable = openDatabase(database.connection, {
    poolSize: 2,
    statementTimeoutMs: 10_000,
  });
  const queries: string[] = [];
  const logged: unknown[] = [];
  const one = await openQueue<Dependencies>(
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
    maxWaitMs: 500,
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

test('after a step, its worker rests as long as it took, and the tenant has no other meanwhile', async () => {
  const rests: { ms: number; end(): void }[] = [];
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      rests.push({ ms, end: resolve });
    });
  for (const name of ['a1', 'a2']) await add(name, step);
  const worker = await open('worker', true, { pause });
  await worker.work();
  await expect.poll(() => [...running.keys()]).toEqual(['a1']);
  const runningSince = performance.now();
  await add('b1', step);
  await expect.poll(() => [...running.keys()]).toEqual(['a1', 'b1']);
  const atLeastMs = performance.now() - runningSince;
  finish('a1');
  await expect.poll(() => rests.length).toBe(1);
  expect(rests[0]?.ms).toBeGreaterThanOrEqual(atLeastMs);
  expect([...running.keys()]).toEqual(['b1']);
  rests[0]?.end();
  await expect.poll(() => [...running.keys()]).toEqual(['b1', 'a2']);
  for (const name of ['a2', 'b1']) finish(name);
  await expect.poll(() => rests.length).toBe(3);
  for (const { end } of rests) end();
  await worker.close();
});
