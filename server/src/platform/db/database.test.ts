import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './unavailable.ts';

let database: TestDatabase;
let observer: Database;
const open = (statementTimeoutMs = 10_000) =>
  openDatabase(database.connection, { poolSize: 2, statementTimeoutMs });

beforeAll(async () => {
  database = await createTestDatabase();
  observer = open();
  await observer.adHoc('create table notes (text text)');
});
afterAll(async () => {
  await observer.close();
  await database.drop();
});

const notes = async () =>
  (await observer.rows<{ text: string }>('select text from notes')).map(({ text }) => text);

async function isAsleep(): Promise<boolean> {
  const sleeping = await observer.rows(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return sleeping.length > 0;
}

test('a transaction that throws is taken back, and its connection goes on', async () => {
  const db = open();
  const thrown = db.transaction(async (tx) => {
    await tx.rows('insert into notes values ($1)', ['thrown']);
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  expect(await notes()).toEqual([]);
  await db.transaction((tx) => tx.rows('insert into notes values ($1)', ['kept']));
  expect(await notes()).toEqual(['kept']);
  await db.close();
});

test('close cuts what still runs, and its transaction is taken back', async () => {
  const db = open(60_000);
  const cut = db.transaction(async (tx) => {
    await tx.rows('insert into notes values ($1)', ['cut']);
    await tx.rows('select pg_sleep(60)');
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
  await expect(db.rows('select pg_sleep(60)')).rejects.toSatisfy(isUnavailable);
  const ended = db.rows('select pg_terminate_backend(pg_backend_pid())');
  await expect(ended).rejects.toSatisfy(isUnavailable);
  expect(await db.rows('select 1 as one')).toEqual([{ one: 1 }]);
  await expect(db.rows('select 1 / 0')).rejects.not.toSatisfy(isUnavailable);
  await db.close();
});
