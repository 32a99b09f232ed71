import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

/** What the triggers cover. */

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

/** Tables with a provider whose changes are not recorded. */
const exceptions: Record<string, string> = {
  audit_events: 'is the trail',
  audit_seals: 'seals the trail',
  audit_keys: 'has the keys of the trail',
  audit_key_customers: 'has the keys of the trail',
  event_outbox: 'has what changed, for clients: the changes are recorded',
  event_log: 'has what changed, for clients: the changes are recorded',
  event_sequences: 'numbers events',
  oidc_records: 'is state of the authorization server: sign-ins are recorded as such',
  sign_in_failures: 'counts attempts to sign in, which are recorded as such',
  recovery_codes:
    'belongs to second factors: one is used to sign in, or comes and goes with its factor',
  status_changes: 'is derived from telemetry',
  status_watchers: 'tells who listens to telemetry',
  webhook_deliveries: 'is the log of what the service sends',
  vehicle_statuses: 'is telemetry',
  vehicle_history: 'is telemetry',
  vehicle_image_files: 'has what the blob_uuid of a vehicle names, whose change is recorded',
  charging_states: 'is derived from telemetry',
  charging_redetections: 'is the work of a job',
  fleet_versions: 'is derived from vehicles',
  idempotency_keys: 'has the answers of requests, whose changes are recorded',
  incident_documents:
    'is derived from files: what a person takes of it is a change of the incident',
  invoice_readings: 'is derived from files: a person overwrites the invoice with what is right',
  past_assignments: 'has what drivers leave behind, whose removal is recorded',
  revoked_tokens: 'is state of the authorization server: sign-outs are recorded as such',
  stored_objects: 'has the keys of bytes: files are recorded',
};

test('every table of a provider is audited, or an exception with its reason', async () => {
  const tables = await db.query<{ name: string; isAudited: boolean }>(
    `select c.relname as name, (
       select count(*) from pg_trigger t where t.tgrelid = c.oid and t.tgenabled = 'O'
         and t.tgname in ('audit_insert', 'audit_update', 'audit_delete')
     ) = 3 as "isAudited"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and (c.relname = 'providers' or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'provider'
       ))`,
  );
  const withoutTrigger = tables.filter(({ isAudited }) => !isAudited).map(({ name }) => name);
  expect(withoutTrigger.sort()).toEqual(Object.keys(exceptions).sort());
});

test('the triggers compare every column: whoever adds one calls audit_tables()', async () => {
  const functions = () =>
    db.query(
      `select p.proname, pg_get_functiondef(p.oid) from pg_proc p join audited_tables a on p.proname like 'audit\\_' || a.name || '\\_%'
       order by 1`,
    );
  const before = await functions();
  await db.query('select audit_tables()');
  expect(await functions()).toEqual(before);
});

test('the value of no column that may hold a secret is recorded', async () => {
  const suspicious = await db.query<{ column: string }>(
    `select a.name || '.' || c.column_name as column from audited_tables a
     join information_schema.columns c on c.table_schema = 'public' and c.table_name = a.name
     where (c.data_type = 'bytea' or c.column_name ~ 'hash|secret|password|key|jwk|token|code$|totp')
       and c.column_name <> all (a.left_out || a.secret || a.personal)`,
  );
  expect(suspicious).toEqual([]);
});

test('the references of a table to customers are personal', async () => {
  const open = await db.query(
    `select a.name, c.column_name from audited_tables a
     join information_schema.columns c on c.table_schema = 'public' and c.table_name = a.name
     where c.column_name like 'customer\\_%' and c.column_name <> all (a.personal)`,
  );
  expect(open).toEqual([]);
});
