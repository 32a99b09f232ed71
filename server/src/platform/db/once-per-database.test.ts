import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { nestedDatabase } from './nested-database.ts';
import { oncePerDatabase } from './once-per-database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('is made of the database itself, also where a transaction asks first', async () => {
  const partOf = oncePerDatabase((root) => ({ one: () => root.query('select 1 as one') }));
  const tenant = db.forTenant('DE-ABC');
  const first = await tenant.transaction(async (tx) => partOf(nestedDatabase(tx, tenant)));
  expect(await first.one()).toEqual([{ one: 1 }]);
  for (const view of [db, tenant, db.forTenant('FR-XYZ', 'search').actingAs({ kind: 'command' })])
    expect(partOf(view)).toBe(first);
});

test('is another one for another database', async () => {
  const partOf = oncePerDatabase(() => ({}));
  const other = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 10_000 });
  expect(partOf(other)).not.toBe(partOf(db));
  await other.close();
});
