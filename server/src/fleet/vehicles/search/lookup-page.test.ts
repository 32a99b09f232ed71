import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../platform/db/database.ts';
import type { Lookup } from '../../../platform/db/lookup-batcher.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import { lookupPage } from './lookup-page.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 2, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const lookup: Lookup = {
  text: 'select $1::int as number, pg_current_xact_id()::text as statement',
  parameters: ['int'],
};

test.each([
  [100, 1],
  [101, 4],
])('four pages of %d at a time are read by %d statements', async (pageSize, statements) => {
  const page = { pageNumber: 0, pageSize };
  const request = { text: '', mode: 'literal', filters: [], sorting: [], page } as const;
  const rows = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      lookupPage<{ number: number; statement: string }>({ db, request }, lookup, [number]),
    ),
  );
  expect(rows.map((row) => row?.number)).toEqual([1, 2, 3, 4]);
  expect(new Set(rows.map((row) => row?.statement)).size).toBe(statements);
});
