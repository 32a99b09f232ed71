import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { longWork } from '../pace.ts';
import { Overloaded } from './admission-queue.ts';
import { type Database, openDatabase, type Queryable } from './database.ts';
import type { Lookup } from './lookup-batcher.ts';
import { ReadBudget, ReadBudgetExceeded } from './read-budget.ts';
import { StatementTimeout } from './statement-timeout.ts';
import { isUnavailable } from './unavailable.ts';

let database: TestDatabase;
const open = (poolSize: number, statementTimeoutMs = 10_000) =>
  openDatabase(database.connection, { poolSize, statementTimeoutMs });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Transactions that stay open until they are released. */
function holdConnections(db: Database, count: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = Array.from({ length: count }, () =>
    db.transaction(async (tx) => {
      await tx.query('select 1');
      await released;
    }),
  );
  return { release, held };
}

const backends = async (db: Queryable) =>
  (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;

test('while one tenant holds its whole share and more of its work waits, another is served', async () => {
  const db = open(4);
  const [busy, other] = [db.forTenant('busy'), db.forTenant('other')];
  const { release, held } = holdConnections(busy, 2);
  let served = false;
  const waiting = busy.query('select 1').then(() => {
    served = true;
  });
  for (let turn = 0; turn < 20; turn++)
    expect(await other.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(served).toBe(false);
  release();
  await Promise.all([...held, waiting]);
  await db.close();
});

test('tenants that hold all connections they may leave some to who has none, and jobs of a tenant count as its own', async () => {
  const db = open(10);
  const busy = ['one', 'two', 'three'].flatMap((name) =>
    (['records', 'jobs'] as const).map((workload) =>
      holdConnections(db.forTenant(name, workload), 5),
    ),
  );
  for (let turn = 0; turn < 3; turn++) {
    expect(await db.forTenant('other').query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await db.forTenant('health', 'internal').query('select 1 as one')).toEqual([{ one: 1 }]);
  }
  for (const { release } of busy) release();
  await Promise.all(busy.flatMap(({ held }) => held));
  await db.close();
});

test.each([
  ['is read', 4 * 1_048_576],
  ['exceeds its budget', 1_500_000],
])(
  'what is much and %s is of the share of its tenant until others have had as much time',
  async (_how, maxBytes) => {
    const { promise: rested, resolve: endRest } = Promise.withResolvers<void>();
    const begin = vi.spyOn(longWork, 'begin').mockReturnValue(() => rested);
    onTestFinished(() => begin.mockRestore());
    const db = open(8);
    const [busy, other] = [db.forTenant('busy', 'search'), db.forTenant('other', 'search')];
    const readRows = (count: number) =>
      busy
        .query(
          `select repeat('x', 1000) from generate_series(1, ${count})`,
          [],
          new ReadBudget(maxBytes),
        )
        .catch((error: unknown) => expect(error).toBeInstanceOf(ReadBudgetExceeded));
    await readRows(50);
    expect(begin).not.toHaveBeenCalled();
    for (const _ of [1, 2]) await readRows(3_000);
    expect(begin.mock.calls).toEqual([
      ['busy', expect.toSatisfy((ms) => ms > 11)],
      ['busy', expect.toSatisfy((ms) => ms > 11)],
    ]);
    let isServed = false;
    const waiting = busy.query('select 1').then(() => {
      isServed = true;
    });
    for (let turn = 0; turn < 20; turn++)
      expect(await other.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await db.forTenant('busy').query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(isServed).toBe(false);
    endRest();
    await waiting;
    await db.close();
  },
);

test('a statement takes one core, not those of others', async () => {
  const db = open(1);
  expect(await db.query('show max_parallel_workers_per_gather')).toEqual([
    { max_parallel_workers_per_gather: '0' },
  ]);
  await db.close();
});

test('searches of a tenant leave connections to its other work, and to what has no tenant', async () => {
  const db = open(4);
  const { release, held } = holdConnections(db.forTenant('busy', 'search'), 3);
  const others = holdConnections(db.forTenant('busy'), 3);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(await db.forTenant('other').query('select 1 as one')).toEqual([{ one: 1 }]);
  release();
  others.release();
  await Promise.all([...held, ...others.held]);
  await db.close();
});

test.each([
  [10, 5],
  [4, 2],
  [3, 1],
])('of %i connections, all that a tenant does leaves %i and more to others', async (size, left) => {
  const db = open(size);
  const busy = (['records', 'search', 'batch'] as const).map((workload) =>
    holdConnections(db.forTenant('busy', workload), size),
  );
  const { promise: allBegun, resolve: noteAll } = Promise.withResolvers<void>();
  let begun = 0;
  const others = Array.from({ length: left }, (_, index) =>
    db.forTenant(`other ${index}`).transaction(async (tx) => {
      await tx.query('select 1');
      begun += 1;
      if (begun === left) noteAll();
      await allBegun;
    }),
  );
  await Promise.all(others);
  for (const { release } of busy) release();
  await Promise.all(busy.flatMap(({ held }) => held));
  await db.close();
});

test.each(['records', 'jobs'] as const)(
  'the share of a tenant holds for its %s however many others come meanwhile',
  async (workload) => {
    const db = open(4);
    const { release, held } = holdConnections(db.forTenant('busy', workload), 4);
    for (let other = 0; other < 10_001; other++) db.forTenant(`other ${other}`);
    let served = false;
    const waiting = db
      .forTenant('busy', workload)
      .query('select 1')
      .then(() => {
        served = true;
      });
    for (let turn = 0; turn < 20; turn++)
      expect(await db.forTenant('other').query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(served).toBe(false);
    release();
    await Promise.all([...held, waiting]);
    await db.close();
  },
);

test('long batches of a tenant run one at a time, and leave connections to all else', async () => {
  const db = open(8);
  const batches = db.forTenant('busy', 'batch');
  await batches.transaction((tx) => tx.query('select pg_sleep(0.5)'));
  const { release, held } = holdConnections(batches, 1);
  let served = false;
  const waiting = batches.query('select 1').then(() => {
    served = true;
  });
  const records = holdConnections(db.forTenant('busy'), 4);
  const searches = holdConnections(db.forTenant('busy', 'search'), 2);
  for (let turn = 0; turn < 20; turn++)
    expect(await db.forTenant('other').query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(served).toBe(false);
  for (const one of [release, records.release, searches.release]) one();
  await Promise.all([...held, ...records.held, ...searches.held, waiting]);
  await db.close();
});

test('long record requests of a tenant run few at a time, and leave connections to others', async () => {
  const db = open(10);
  const records = db.forTenant('busy');
  await records.transaction((tx) => tx.query('select pg_sleep(1.1)'));
  const { release, held } = holdConnections(records, 2);
  let served = false;
  const waiting = records.query('select 1').then(() => {
    served = true;
  });
  const others = holdConnections(db.forTenant('other'), 5);
  for (let turn = 0; turn < 20; turn++)
    expect(await db.forTenant('third').query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(served).toBe(false);
  for (const one of [release, others.release]) one();
  await Promise.all([...held, ...others.held, waiting]);
  await db.close();
});

test.each([
  ['record requests that are slow, as all are on a slow database', 'records', 0.2],
  ['long statements of the service itself', 'internal', 1.1],
] as const)('%s run as many at a time as before', async (_what, workload, seconds) => {
  const db = open(4);
  const tenant = db.forTenant('busy', workload);
  for (let turn = 0; turn < 3; turn++)
    await tenant.transaction((tx) => tx.query('select pg_sleep($1)', [seconds]));
  const { release, held } = holdConnections(tenant, 1);
  expect(await tenant.query('select 1 as one')).toEqual([{ one: 1 }]);
  release();
  await Promise.all(held);
  await db.close();
});

test('lookups of several tenants in one statement leave connections to others', async () => {
  const [db, locker] = [open(4), open(1)];
  const blocked: Lookup = {
    parameters: ['bigint'],
    text: 'select pg_advisory_xact_lock_shared($1) is null as locked',
  };
  const waiting: Promise<unknown>[] = [];
  await locker.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(1)');
    for (let turn = 0; turn < 4; turn++) {
      for (const name of ['one', 'other']) waiting.push(db.forTenant(name).lookup(blocked, [1]));
      await setImmediate();
    }
    expect(await db.forTenant('third').query('select 1 as one')).toEqual([{ one: 1 }]);
  });
  expect(await Promise.all(waiting)).toHaveLength(8);
  await Promise.all([db.close(), locker.close()]);
});

test('what waits is refused when too much of its tenant waits, while others are served', async () => {
  const db = open(4);
  const { release, held } = holdConnections(db.forTenant('busy'), 2);
  const waiting = Array.from({ length: 501 }, () => db.forTenant('busy').query('select 1'));
  const refused = await Promise.race(waiting.map((one) => one.catch((error) => error)));
  expect(refused).toBeInstanceOf(Overloaded);
  expect(refused).toMatchObject({ scope: 'tenant' });
  expect(refused).toSatisfy(isUnavailable);
  expect(await db.forTenant('other').query('select 1 as one')).toEqual([{ one: 1 }]);
  release();
  await Promise.all(held);
  const results = await Promise.allSettled(waiting);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  await db.close();
});

test('a pool of one connection serves all tenants in turn, after whatever failed', async () => {
  const db = open(1, 200);
  const tenants = [db, db.forTenant('a'), db.forTenant('a', 'search'), db.forTenant('b')];
  const fail = (on: Database) => [
    on.query('select 1 / 0'),
    on.queryUnprepared('select nonsense'),
    on.query('select pg_sleep(60)'),
    on.query('select pg_terminate_backend(pg_backend_pid())'),
    on.transaction((tx) => tx.query('select 1 / 0')),
    on.transaction(async () => {
      throw new Error('no');
    }),
    on.session(async () => {
      throw new Error('no');
    }),
    on.lookup({ text: 'select 1 / $1::int as n', parameters: ['int'] }, [0]),
  ];
  const results = await Promise.allSettled(tenants.flatMap(fail));
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 'rejected'));
  for (const one of tenants) {
    expect(await one.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await one.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
  }
  await db.close();
});

test('close refuses what waits', async () => {
  const db = open(1);
  const { held, release } = holdConnections(db, 1);
  const all = Promise.allSettled([...held, db.query('select 1')]);
  await db.close();
  release();
  for (const { reason } of (await all) as PromiseRejectedResult[])
    expect(reason).toSatisfy(isUnavailable);
});

describe('lookups', () => {
  const lookup: Lookup = {
    text: 'select $1::int as n, pg_backend_pid() as pid, current_setting($2) as setting',
    parameters: ['int', 'text'],
  };
  type Row = { n: number; pid: number; setting: string };
  const lookups = (db: Database, count: number) =>
    Array.from({ length: count }, (_, n) => db.lookup<Row>(lookup, [n, 'statement_timeout']));

  test('of several tenants share a statement; those of a tenant with many do not hold up others', async () => {
    const db = open(4);
    const single = ['a', 'b', 'c'].map((name) => db.forTenant(name));
    const many = lookups(db.forTenant('many'), 20);
    const few = single.flatMap((one) => lookups(one, 1));
    const rows = await Promise.all([...many, ...few]);
    expect(rows.map((row) => row?.n)).toEqual([...Array(20).keys(), 0, 0, 0]);
    const sharedBy = new Set(rows.slice(20).map((row) => row?.pid));
    expect(sharedBy.size).toBe(1);
    expect(rows.every((row) => row?.setting === '10s')).toBe(true);
    await db.close();
  });

  test('of a search share a statement with those of the same tenant alone', async () => {
    const [db, locker] = [open(8), open(1)];
    const blocked: Lookup = {
      parameters: ['bigint'],
      text: 'select pg_advisory_xact_lock_shared($1) is null as locked, pg_current_xact_id()::text as statement',
    };
    const locked = (name: string, key: number) =>
      db.forTenant(name, 'search').lookup<{ statement: string }>(blocked, [key]);
    let slow: Promise<unknown> | undefined;
    await locker.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(1)');
      slow = locked('one', 1);
      expect(await locked('other', 2)).toMatchObject({ locked: false });
      const [first, second] = await Promise.all([locked('other', 2), locked('other', 3)]);
      expect(first?.statement).toBe(second?.statement);
    });
    expect(await slow).toMatchObject({ locked: false });
    await Promise.all([db.close(), locker.close()]);
  });

  test.each(['records', 'search'] as const)(
    'of %s that take too long fail nobody else, of the same tenant or of another',
    async (workload) => {
      const db = open(4, 300);
      const sleep: Lookup = {
        parameters: ['float8'],
        text: 'select $1::float8 as slept from (select pg_sleep($1)) as slept',
      };
      const [one, other] = [db.forTenant('one', workload), db.forTenant('other', workload)];
      const shared = [one.lookup(sleep, [60]), other.lookup(sleep, [0])];
      const [slow, quick] = await Promise.allSettled(shared);
      expect(slow).toMatchObject({ status: 'rejected', reason: expect.toSatisfy(isUnavailable) });
      expect(quick).toEqual({ status: 'fulfilled', value: expect.objectContaining({ slept: 0 }) });
      const own = [one.lookup(sleep, [60]), one.lookup(sleep, [0])];
      const [slowAgain, quickAgain] = await Promise.allSettled(own);
      expect(slowAgain).toMatchObject({ status: 'rejected' });
      expect(quickAgain).toMatchObject({ status: 'fulfilled', value: { slept: 0 } });
      await db.close();
    },
  );

  test('wait with their tenant alone', async () => {
    const db = open(4);
    const { release, held } = holdConnections(db.forTenant('many'), 2);
    const many = lookups(db.forTenant('many'), 20);
    expect(await Promise.all(lookups(db.forTenant('other'), 2))).toMatchObject([
      { n: 0 },
      { n: 1 },
    ]);
    release();
    await Promise.all([...held, ...many]);
    await db.close();
  });
});

describe('a search', () => {
  const timeout = `select current_setting('statement_timeout') as timeout`;
  const timeoutOf = async (on: Queryable, text = timeout) =>
    (await on.queryUnprepared<{ timeout: string }>(text))[0]?.timeout;

  test('has a shorter statement timeout, which ends with it', async () => {
    const db = open(1);
    const search = db.forTenant('a', 'search');
    const pid = await backends(db);
    for (const _ of [1, 2]) {
      expect(await timeoutOf(search)).toBe('5s');
      expect(await search.query(timeout)).toEqual([{ timeout: '5s' }]);
      expect(await timeoutOf(db)).toBe('10s');
      await expect(search.query('select 1 / 0')).rejects.toThrow('by zero');
      expect(await timeoutOf(db)).toBe('10s');
      expect(await timeoutOf(db.forTenant('a'))).toBe('10s');
    }
    expect(await backends(db)).toBe(pid);
    await db.close();
  });

  test.each<[string, (tx: Queryable) => Promise<unknown>]>([
    ['a prepared statement', (tx) => tx.query('select 1')],
    ['one with values', (tx) => tx.queryUnprepared('select $1::int', [1])],
    ['plain text', (tx) => tx.queryUnprepared('select 1')],
    ["a library's", (tx) => tx.rawQuery('select 1')],
  ])('has it in all of its transaction that begins with %s', async (_name, first) => {
    const db = open(1);
    const timeouts = await db.forTenant('a', 'search').transaction(async (tx) => {
      await first(tx);
      return [await timeoutOf(tx), await timeoutOf(tx)];
    }, 'read only');
    expect(timeouts).toEqual(['5s', '5s']);
    expect(await timeoutOf(db)).toBe('10s');
    await db.close();
  });

  test('that takes too long is told apart from a database that does not answer', async () => {
    const db = open(1, 100);
    const search = db.forTenant('a', 'search');
    const pid = await backends(db);
    const slow = 'select pg_sleep(60)';
    await expect(search.query(slow)).rejects.toBeInstanceOf(StatementTimeout);
    const inTransaction = search.transaction((tx) => tx.query(slow));
    await expect(inTransaction).rejects.toBeInstanceOf(StatementTimeout);
    await expect(db.query(slow)).rejects.not.toBeInstanceOf(StatementTimeout);
    expect(await backends(db)).toBe(pid);
    await db.close();
  });
});
