import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { eventHash } from './seal.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll(/[\0\ud800-\udfff]/g, ''));
const json = fc.jsonValue({ stringUnit: 'binary' }).filter((value) => isStorable(value));
const object = fc.dictionary(text, json);

function isStorable(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value));
}

const hash = async () =>
  (await db.query<{ hash: Buffer }>(`select ${eventHash} as hash from audit_events e`)).map((row) =>
    row.hash.toString('hex'),
  );

test('an event has the same hash after its values went through JSON, and another when any differs', async () => {
  await fc.assert(
    fc.asyncProperty(object, object, text, async (actor, changes, recordId) => {
      await db.queryUnprepared('truncate audit_events');
      await db.query(
        `insert into audit_events (provider, action, type, record_id, actor, changes)
         values ('DE-ABC', 'UPDATE', 'vehicle', $1, $2, $3)`,
        [recordId, actor, changes],
      );
      const [first] = await hash();
      await db.query(
        'update audit_events set actor = actor::text::jsonb, changes = changes::text::json::jsonb',
      );
      expect(await hash()).toEqual([first]);
      await db.query(`update audit_events set changes = changes || '{"added": 1e-30}'`);
      expect(await hash()).not.toEqual([first]);
    }),
    { numRuns: 60 },
  );
});

test('values do not run into each other', async () => {
  await db.queryUnprepared('truncate audit_events');
  await db.query(
    `insert into audit_events (id, occurred_at, provider, action, type, vehicle_id, record_id, actor)
     values (1, '2026-11-15', 'DE-ABC', 'UPDATE', 'vehicle', 'ab', 'c', '{}')`,
  );
  const [first] = await hash();
  await db.query(`update audit_events set vehicle_id = 'a', record_id = 'bc'`);
  const [second] = await hash();
  await db.query(`update audit_events set vehicle_id = null, record_id = 'abc'`);
  expect(new Set([first, second, ...(await hash())]).size).toBe(3);
});
