import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, type Queryable } from '../../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  // One connection: what a transaction remembers must not reach the next.
  db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await db.queryUnprepared('create table writes (provider text, version uuid)');
  await db.queryUnprepared(
    `create function record_write() returns trigger language plpgsql as
     'begin insert into writes values (new.provider, new.version); return null; end'`,
  );
  await db.queryUnprepared(
    `create trigger record_write after insert or update on fleet_versions
     for each row execute function record_write()`,
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const add = (on: Queryable, provider: string, count: number) =>
  on.query(
    `insert into vehicles (provider, id, created_at, updated_at, item)
     select $1, gen_random_uuid()::text, now(), now(), '' from generate_series(1, $2)`,
    [provider, count],
  );
const written = async () => {
  const rows = await db.query<{ provider: string; version: string }>(
    'with taken as (delete from writes returning *) select * from taken order by provider',
  );
  return { providers: rows.map(({ provider }) => provider), rows };
};

test('a transaction gives each fleet that it changes one new version', async () => {
  await db.transaction(async (tx) => {
    for (const provider of ['DE-ABC', 'FR-XYZ', 'DE-ABC']) await add(tx, provider, 20);
  });
  const first = await written();
  expect(first.providers).toEqual(['DE-ABC', 'FR-XYZ']);

  await db.transaction((tx) => tx.query(`update vehicles set seats = 5 where provider = 'DE-ABC'`));
  await db.query(`delete from vehicles where provider = 'DE-ABC'`);
  const second = await written();
  expect(second.providers).toEqual(['DE-ABC', 'DE-ABC']);
  const versions = [...first.rows, ...second.rows].map(({ version }) => version);
  expect(new Set(versions).size).toBe(4);
});

test('a transaction that is taken back changes no version', async () => {
  const thrown = db.transaction(async (tx) => {
    await add(tx, 'DE-ABC', 1);
    await tx.queryUnprepared('set constraints all immediate');
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  expect((await written()).providers).toEqual([]);
  await add(db, 'DE-ABC', 1);
  expect((await written()).providers).toEqual(['DE-ABC']);
});
