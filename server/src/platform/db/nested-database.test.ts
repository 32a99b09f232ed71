import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, type Queryable } from './database.ts';
import { nestedDatabase } from './nested-database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 2, statementTimeoutMs: 10_000 });
  await db.queryUnprepared('create table notes (text text)');
});
beforeEach(() => db.query('delete from notes'));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const write = (on: Queryable, text: string) => on.query('insert into notes values ($1)', [text]);
const notes = async () =>
  (await db.query<{ text: string }>('select text from notes order by text')).map(
    ({ text }) => text,
  );

test('statements belong to the transaction, and transactions are savepoints of it', async () => {
  await db.transaction(async (tx) => {
    const nested = nestedDatabase(tx, db);
    await write(nested, 'kept');
    const thrown = nested.transaction(async (inner) => {
      await write(inner, 'taken back');
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    await nested.transaction((inner) => write(inner, 'kept too'));
    expect(await notes()).toEqual([]);
  });
  expect(await notes()).toEqual(['kept', 'kept too']);
});

test('its statements are refused after the transaction', async () => {
  const nested = await db.transaction(async (tx) => nestedDatabase(tx, db));
  await expect(write(nested, 'late')).rejects.toThrow('has ended');
  await expect(nested.transaction((tx) => write(tx, 'late'))).rejects.toThrow('has ended');
  expect(await notes()).toEqual([]);
});

test('those of a savepoint are refused after it: they would be kept although it was taken back', async () => {
  await db.transaction(async (tx) => {
    let late: Queryable | undefined;
    const thrown = nestedDatabase(tx, db).transaction(async (inner) => {
      late = inner;
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    await expect(write(late as Queryable, 'late')).rejects.toThrow('has ended');
  });
  expect(await notes()).toEqual([]);
});

test('is no database of another tenant or actor', async () => {
  await db.transaction(async (tx) => {
    const nested = nestedDatabase(tx, db.forTenant('DE-ABC'));
    expect(() => nested.forTenant('FR-XYZ')).toThrow('not within a transaction');
    expect(() => nested.forTenant('statuses', 'internal')).toThrow('not within a transaction');
    expect(() => nested.actingAs({ kind: 'command' })).toThrow('not within a transaction');
  });
});
