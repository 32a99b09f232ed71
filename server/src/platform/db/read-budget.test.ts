import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, type Queryable } from './database.ts';
import { ReadBudget, ReadBudgetExceeded } from './read-budget.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await db.queryUnprepared('create sequence produced');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const rows = (count: number) =>
  `select n, repeat('x', $1::int) as text from generate_series(1, ${count}) n`;

describe.each([
  ['outside of a transaction', (work: (db: Queryable) => Promise<unknown>) => work(db)],
  ['inside of one', (work: (db: Queryable) => Promise<unknown>) => db.transaction(work)],
])('%s, a statement with a budget', (_where, run) => {
  test.each([0, 1, 99, 100, 101, 250])('reads %i rows within it', async (count) => {
    for (const how of ['query', 'queryUnprepared'] as const) {
      const budget = new ReadBudget(100_000);
      const read = await run((on) => on[how](rows(count), [10], budget));
      expect(read).toEqual(await db.query(rows(count), [10]));
      expect(budget.usedBytes).toBeGreaterThanOrEqual(count * 10);
    }
  });

  test('is ended when it exceeds it, and its connection goes on', async () => {
    const pid = 'select pg_backend_pid() as pid';
    const [before] = await db.query(pid);
    const budget = new ReadBudget(1_000_000);
    const reading = run((on) => on.query(rows(1_000), [100_000], budget));
    await expect(reading).rejects.toBeInstanceOf(ReadBudgetExceeded);
    expect(await db.query(pid)).toEqual([before]);
  });

  test('does not make the server produce what is not read', async () => {
    await db.queryUnprepared("select setval('produced', 1)");
    const large = `select nextval('produced'), repeat('x', $1::int) from generate_series(1, 10000)`;
    const reading = run((on) => on.queryUnprepared(large, [100_000], new ReadBudget(1_000_000)));
    await expect(reading).rejects.toBeInstanceOf(ReadBudgetExceeded);
    const [produced] = await db.query<{ last_value: number }>('select last_value from produced');
    expect(produced?.last_value).toBeLessThan(1_000);
  });

  test('begins with few rows where it is told to, and goes on with no more than may fit', async () => {
    await db.queryUnprepared("select setval('produced', 1)");
    const large = `select nextval('produced'), repeat('x', $1::int) from generate_series(1, 10000)`;
    const budget = new ReadBudget(1_000_000, { firstRows: 1 });
    const reading = run((on) => on.queryUnprepared(large, [300_000], budget));
    await expect(reading).rejects.toBeInstanceOf(ReadBudgetExceeded);
    const [produced] = await db.query<{ last_value: number }>('select last_value from produced');
    expect(produced?.last_value).toBe(5);
    const few = new ReadBudget(1_000_000, { firstRows: 1 });
    expect(await run((on) => on.query(rows(250), [10], few))).toEqual(
      await db.query(rows(250), [10]),
    );
  });

  test('fails as any other, and its connection goes on', async () => {
    const failing = 'select 1 / (150 - n) from generate_series(1, $1::int) n';
    const reading = run((on) => on.query(failing, [1_000], new ReadBudget(1_000_000)));
    await expect(reading).rejects.toThrow('division by zero');
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('a statement without values has a budget, too', async () => {
  const text = "select repeat('x', 1000) as text from generate_series(1, 250)";
  expect(await db.queryUnprepared(text, [], new ReadBudget(1_000_000))).toHaveLength(250);
  const reading = db.queryUnprepared(text, [], new ReadBudget(10_000));
  await expect(reading).rejects.toBeInstanceOf(ReadBudgetExceeded);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('statements share a budget', async () => {
  const budget = new ReadBudget(15_000);
  await db.query(rows(10), [1_000], budget);
  await expect(db.query(rows(10), [1_000], budget)).rejects.toBeInstanceOf(ReadBudgetExceeded);
});

test('a timeout while the last piece is read leaves the connection in step', async () => {
  /** As when the event loop is busy. */
  class SlowBudget extends ReadBudget {
    #isFirst = true;
    override get isExceeded(): boolean {
      if (this.#isFirst) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
      this.#isFirst = false;
      return super.isExceeded;
    }
  }
  const timed = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 300 });
  try {
    const reading = timed.query(rows(1_000), [100], new SlowBudget(5_000));
    const waiting = [1, 2, 3, 4, 5].map((n) => timed.query('select $1::int as n', [n]));
    await expect(reading).rejects.toThrow();
    expect(await Promise.all(waiting)).toEqual([1, 2, 3, 4, 5].map((n) => [{ n }]));
  } finally {
    await timed.close();
  }
});
