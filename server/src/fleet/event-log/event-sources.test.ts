import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { modules } from '../index.ts';

/** What the triggers cover, and what is declared of it. */

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

const declared = modules.flatMap(({ recordEvents = [] }) => recordEvents);

/** Audited tables whose changes are no events. */
const exceptions: Record<string, string> = {
  clients: 'is administered by those who may also read the audit trail, which has the changes',
  webhooks: 'is administered by those who may also read the audit trail, which has the changes',
  users: 'is administered by those who may also read the audit trail, which has the changes',
  realm_keys: 'is a key',
  second_factors: 'belongs to a user',
  token_revocations: 'belongs to a client or a user',
};

/** Rows that are a part of a record. */
const parts: Record<string, string> = { invoice_lines: 'invoice', providers: 'profile' };

test('every audited table makes events, or is an exception with its reason', async () => {
  const tables = await db.query<{ name: string }>(
    `select a.name from audited_tables a where not exists (
       select from pg_trigger t where t.tgrelid = a.name::regclass and t.tgenabled = 'O' and t.tgname in ('event', 'end_event')
     ) order by a.name`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(exceptions).sort());
});

test('every table that makes events has its types declared by a module, under the name of its triggers', async () => {
  const sources = await db.query<{ name: string; type: string }>(
    `select name, type from event_sources
     union select c.relname, split_part(encode(t.tgargs, 'escape'), '\\000', 1)
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'end_event'`,
  );
  const known = declared.map(({ table, type }) => ({ name: table, type }));
  const ofParts = Object.entries(parts).map(([name, type]) => ({ name, type }));
  const byName = (one: { name: string }, two: { name: string }) => (one.name < two.name ? -1 : 1);
  expect(sources.sort(byName)).toEqual([...known, ...ofParts].sort(byName));
});

test('the triggers are those that event_triggers() makes', async () => {
  const functions = () =>
    db.query(
      `select p.proname, pg_get_functiondef(p.oid) from pg_proc p join event_sources s on p.proname = 'event_' || s.name
       order by 1`,
    );
  const before = await functions();
  await db.query('select event_triggers()');
  expect(await functions()).toEqual(before);
});

test('no event has a column that may hold a secret, or a position', async () => {
  const suspicious = await db.query<{ column: string }>(
    `select s.name || '.' || c.column_name as column from event_sources s
     join information_schema.columns c on c.table_schema = 'public' and c.table_name = s.name
     where (c.data_type = 'bytea' or c.column_name ~ 'hash|secret|password|_key|jwk|token|totp|^lat$|^lng$|^item$')
       and c.column_name <> all (s.left_out)`,
  );
  expect(suspicious).toEqual([]);
});
