import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cuttableProxy } from '../../testing/cuttable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, type Queryable } from './database.ts';
import { answers } from './probe.ts';
import { isUnavailable } from './unavailable.ts';

let database: TestDatabase;
let observer: Database;
const open = (statementTimeoutMs = 10_000) =>
  openDatabase(database.owner, { poolSize: 2, statementTimeoutMs });

beforeAll(async () => {
  database = await createTestDatabase();
  observer = open();
  await observer.queryUnprepared('create table notes (text text)');
});
afterAll(async () => {
  await observer.close();
  await database.drop();
});

const notes = async () =>
  (await observer.query<{ text: string }>('select text from notes')).map(({ text }) => text);

async function isAsleep(): Promise<boolean> {
  const sleeping = await observer.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return sleeping.length > 0;
}

test('a transaction that throws is taken back, and its connection goes on', async () => {
  const db = open();
  const thrown = db.transaction(async (tx) => {
    await tx.query('insert into notes values ($1)', ['thrown']);
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  expect(await notes()).toEqual([]);
  await db.transaction((tx) => tx.query('insert into notes values ($1)', ['kept']));
  expect(await notes()).toEqual(['kept']);
  await db.close();
});

test.each(['transaction', 'session'] as const)(
  'what a %s lends is refused after its end: the connection belongs to others by then',
  async (lends) => {
    const db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
    const lent: Queryable[] = [];
    const lend = async (one: Queryable) => {
      lent.push(one);
      await one.query('select 1');
    };
    await db[lends](lend);
    const thrown = db[lends](async (one) => {
      await lend(one);
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    await db.transaction(async (tx) => {
      await tx.query('select 1');
      for (const late of lent) {
        const one = 'select 1 as one';
        await expect(late.query(one)).rejects.toThrow('has ended');
        await expect(late.queryUnprepared(one)).rejects.toThrow('has ended');
        await expect(late.rawQuery(one)).rejects.toThrow('has ended');
        await expect(late.lookup({ text: one, parameters: [] }, [])).rejects.toThrow('has ended');
      }
    });
    expect(lent).toHaveLength(2);
    await db.close();
  },
);

test('a statement that fails costs no connection, inside or outside of a transaction', async () => {
  const one = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  const backend = async () =>
    (await one.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;
  const before = await backend();
  await expect(one.query('select 1 / $1::int', [0])).rejects.toThrow('division by zero');
  await expect(one.queryUnprepared('select nonsense')).rejects.toThrow('nonsense');
  await expect(one.query('select $1::text', ['\0'])).rejects.toThrow('invalid byte sequence');
  await expect(one.transaction((tx) => tx.query('select 1 / 0'))).rejects.toThrow('by zero');
  expect(await backend()).toBe(before);
  // Prepared again after its failure.
  expect(await one.query('select 1 / $1::int as one', [1])).toEqual([{ one: 1 }]);
  await expect(one.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  expect(await backend()).not.toBe(before);
  await one.close();
});

test('a transaction that the text of a query begins is left to nobody when it fails', async () => {
  const single = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  try {
    const failing = single.rawQuery('begin; select 1 / 0; commit', undefined);
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await single.close();
  }
});

test('sessions with a server that only reads now are replaced when one of them cannot write', async () => {
  const db = open();
  const makeReadOnly = () =>
    db.session(async (session) => {
      await session.queryUnprepared('set session characteristics as transaction read only');
      await session.query('select pg_sleep(0.1)');
    });
  await Promise.all([makeReadOnly(), makeReadOnly()]);
  const write = () => db.query('insert into notes values ($1)', ['written']);
  const failure = await write().catch((error) => error);
  expect(failure.message).toContain('read-only transaction');
  expect(isUnavailable(failure)).toBe(true);
  await Promise.all([write(), write()]);
  expect((await notes()).filter((text) => text === 'written')).toHaveLength(2);
  await db.close();
});

test('a statement whose result changed its type is prepared anew; a transaction of it may be tried again', async () => {
  const one = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await one.query('create table shapes (value int)');
  await one.query('insert into shapes values (1)');
  expect(await one.query('select * from shapes')).toEqual([{ value: 1 }]);
  await one.query('alter table shapes add column word text');
  expect(await one.query('select * from shapes')).toEqual([{ value: 1, word: null }]);
  await one.query('alter table shapes drop column word');
  const inTransaction = () => one.transaction((tx) => tx.query('select * from shapes'));
  await expect(inTransaction()).rejects.toSatisfy(isUnavailable);
  expect(await inTransaction()).toEqual([{ value: 1 }]);
  await one.close();
});

test('close cuts what still runs, and its transaction is taken back', async () => {
  const db = open(60_000);
  const cut = db.transaction(async (tx) => {
    await tx.query('insert into notes values ($1)', ['cut']);
    await tx.query('select pg_sleep(60)');
  });
  const rejected = expect(cut).rejects.toSatisfy(isUnavailable);
  await expect.poll(isAsleep).toBe(true);
  await db.close();
  await rejected;
  await db.close();
  expect(await notes()).not.toContain('cut');
});

test('a statement that takes too long, or whose connection is ended, counts as unavailable', async () => {
  const db = open(100);
  await expect(db.query('select pg_sleep(60)')).rejects.toSatisfy(isUnavailable);
  const ended = db.query('select pg_terminate_backend(pg_backend_pid())');
  await expect(ended).rejects.toSatisfy(isUnavailable);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  await expect(db.query('select 1 / 0')).rejects.not.toSatisfy(isUnavailable);
  await db.close();
});

describe('a transaction', () => {
  const inTransaction = 'select txid_current_if_assigned() is not null as yes';

  test.each<[string, (tx: Queryable) => Promise<unknown>]>([
    ['a prepared statement', (tx) => tx.query('insert into notes values ($1)', ['first'])],
    ['one with values', (tx) => tx.queryUnprepared('insert into notes values ($1)', ['first'])],
    ['plain text', (tx) => tx.queryUnprepared("insert into notes values ('first')")],
    ["a library's", (tx) => tx.rawQuery('insert into notes values ($1)', ['first'])],
  ])('begins with its first statement: %s', async (_name, write) => {
    const db = open();
    const thrown = db.transaction(async (tx) => {
      await write(tx);
      expect(await tx.query(inTransaction)).toEqual([{ yes: true }]);
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    expect(await notes()).not.toContain('first');
    await db.close();
  });

  test('whose first statement fails is taken back, and its connection goes on', async () => {
    const db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
    const backend = () => db.query<{ pid: number }>('select pg_backend_pid() as pid');
    const before = await backend();
    // Rejected when it is parsed, when its values are bound, and when it runs.
    for (const [text, value] of [
      ['select wrong($1)', '1'],
      ['select $1::int as n', 'x'],
      ['select 1 / $1::int as n', '0'],
    ] as const) {
      for (const _ of [1, 2]) {
        await expect(db.transaction((tx) => tx.query(text, [value]))).rejects.toThrow();
      }
    }
    const one = await db.transaction((tx) => tx.query('select $1::int as n', ['1']));
    expect(one).toEqual([{ n: 1 }]);
    const half = await db.transaction((tx) => tx.query('select 1 / $1::int as n', ['1']));
    expect(half).toEqual([{ n: 1 }]);
    expect(await backend()).toEqual(before);
    await db.close();
  });

  test('that asks nothing begins nothing', async () => {
    const db = open();
    expect(await db.transaction(async () => 7)).toBe(7);
    await expect(
      db.transaction(async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
    await db.close();
  });

  test('answers concurrent statements in their order', async () => {
    const db = open();
    const answers = await db.transaction((tx) =>
      Promise.all([1, 2].map((n) => tx.query('select $1::int as n', [n]))),
    );
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    await db.close();
  });
});

test('a value that cannot be written fails alone', async () => {
  const db = open();
  const circular: unknown[] = [];
  circular.push({ circular });
  await expect(db.query('select $1::text', [circular[0]])).rejects.toThrow('circular');
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  await db.close();
});

test.each([
  ['2024-02-29 12:30:00+00', '2024-02-29T12:30:00.000Z'],
  ['2024-02-29 12:30:00.1+02', '2024-02-29T10:30:00.100Z'],
  ['2024-02-29 12:30:00.999999+00', '2024-02-29T12:30:00.999Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
])('the instant %s is read as %s', async (text, instant) => {
  expect(await observer.query('select $1::timestamptz as at', [text])).toEqual([{ at: instant }]);
});

test('a statement on a frozen server fails long before its own limit, one that takes long does not', async () => {
  const proxy = await cuttableProxy(database.owner);
  const db = openDatabase(proxy.connection, {
    poolSize: 1,
    statementTimeoutMs: 600_000,
    probe: { afterMs: 50, limitMs: 3_000 },
  });
  // Longer than any probe of a server that is alive.
  expect(await db.query('select pg_sleep(1.5), 1 as one')).toMatchObject([{ one: 1 }]);
  proxy.freeze();
  await expect(db.query('select 1')).rejects.toSatisfy(isUnavailable);
  await db.close();
  await proxy.cut();
});

test.concurrent.each([
  ['for a connection of its own', 1],
  ['on one that was idle', 2],
])(
  'what waits while the server freezes does not wait as long again %s',
  async (_where, poolSize) => {
    const proxy = await cuttableProxy(database.owner);
    const db = openDatabase(proxy.connection, { poolSize, statementTimeoutMs: 600_000 });
    await Promise.all(Array.from({ length: poolSize }, () => db.query('select pg_sleep(0.2)')));
    // It may hold one at a time.
    const tenant = db.forTenant('DE-ABC');
    proxy.freeze();
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    await Promise.all([
      tenant.query('select 1').catch(note('the statement')),
      tenant.query('select 1').catch(note('one that waited')),
      // Shorter than one wait after the other.
      answers(proxy.connection, 7_000).then(note('a probe')),
    ]);
    expect(ended).toEqual(['the statement', 'one that waited', 'a probe']);
    await db.close();
    await proxy.cut();
  },
);

test('a server that stops responding counts as unavailable, and is queried on another connection', async () => {
  const proxy = await cuttableProxy(database.owner);
  const db = openDatabase(proxy.connection, {
    poolSize: 1,
    statementTimeoutMs: 100,
    responseTimeoutMs: 200,
  });
  await db.query('select 1');
  proxy.stall();
  await expect(db.query('select 1')).rejects.toSatisfy(isUnavailable);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  proxy.stall();
  await expect(db.transaction((tx) => tx.query('select 1'))).rejects.toSatisfy(isUnavailable);
  await db.close();
  await proxy.cut();
});
