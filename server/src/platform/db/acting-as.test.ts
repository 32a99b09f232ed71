import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, type Queryable } from './database.ts';

/** One connection, so that whatever stays behind on it shows. */
let database: TestDatabase;
let db: Database;
let acting: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  acting = db.actingAs({ kind: 'client', clientId: `it's "me" \\ $1` });
  await db.query('create table notes (text text, actor text default $$none$$)');
  await db.query(
    `create function note_actor() returns trigger language plpgsql as
     $$begin new.actor := nullif(current_setting('motorpool.actor', true), '')::json ->> 'clientId'; return new; end$$`,
  );
  await db.query(
    'create trigger note_actor before insert on notes for each row execute function note_actor()',
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const me = `it's "me" \\ $1`;
const insert = 'insert into notes (text) values ($1) returning actor';
const actorOf = async (on: Queryable, text = insert, values: unknown[] = ['x']) =>
  (await on.query<{ actor: string | null }>(text, values))[0]?.actor;

test('statements in and outside of transactions know the actor, and others do not', async () => {
  for (let round = 0; round < 3; round++) {
    expect(await actorOf(acting)).toBe(me);
    expect(await actorOf(db)).toBeNull();
    expect(await acting.transaction((tx) => actorOf(tx))).toBe(me);
    expect(await db.transaction((tx) => actorOf(tx))).toBeNull();
  }
});

test('whatever kind of statement is the first', async () => {
  const simple = `insert into notes (text) values ('x') returning actor`;
  expect(await acting.queryUnprepared(simple)).toEqual([{ actor: me }]);
  expect(await acting.queryUnprepared(insert, ['x'])).toEqual([{ actor: me }]);
  const inTransaction = await acting.transaction(async (tx) => [
    await tx.queryUnprepared(simple),
    (await tx.rawQuery(insert, ['x'])).rows,
  ]);
  expect(inTransaction).toEqual([[{ actor: me }], [{ actor: me }]]);
  const raw = await acting.transaction((tx) => tx.rawQuery(insert, ['x']));
  expect(raw.rows).toEqual([{ actor: me }]);
  expect(await acting.session((session) => actorOf(session))).toBe(me);
  expect(await actorOf(db)).toBeNull();
});

test('results are those of the statement alone', async () => {
  expect(await acting.query('select 1 as one, $1::text as two', ['2'])).toEqual([
    { one: 1, two: '2' },
  ]);
  expect(await acting.query('select 1 as one, $1::text as two', ['2'])).toEqual([
    { one: 1, two: '2' },
  ]);
  expect(await acting.query('delete from notes where text = $1', ['nothing'])).toEqual([]);
});

test('a single statement is a transaction: it is written whole, or not at all', async () => {
  await db.query('delete from notes');
  await expect(
    acting.query('insert into notes select 1 / n from generate_series(-1, $1::int) n', [1]),
  ).rejects.toThrow('division by zero');
  expect(await db.query('select from notes')).toEqual([]);
});

test('a statement that fails leaves no actor behind, also when it never reached the server', async () => {
  await expect(acting.query('select 1 / $1::int', [0])).rejects.toThrow('division by zero');
  expect(await actorOf(db)).toBeNull();
  const circle: { self?: unknown } = {};
  circle.self = circle;
  await expect(acting.query(insert, [circle])).rejects.toThrow('circular');
  expect(await actorOf(db)).toBeNull();
  await expect(
    acting.transaction(async () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await actorOf(db)).toBeNull();
  await expect(acting.session((session) => session.query('select 1 / 0'))).rejects.toThrow();
  expect(await actorOf(db)).toBeNull();
  expect(await actorOf(acting)).toBe(me);
});
