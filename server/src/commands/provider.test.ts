import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { addProvider, tablesOfRealm } from '../auth/providers.ts';
import { addUser } from '../auth/users.ts';
import { giveUpJob } from '../testing/give-up-job.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { runCommand } from '../testing/run-command.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
let credentials: { clientId: string; clientSecret: string };
beforeAll(async () => {
  service = await startTestService();
  await service.db.transaction((tx) => addProvider(tx, 'AT-NEW', 'New'));
  const { id, secret = '' } = await addClient(service.db, 'AT-NEW', { name: 'Test' });
  credentials = { clientId: id, clientSecret: secret };
  await addUser(service.db, 'AT-NEW', 'anna', 'nine otters cross the river');
});
afterAll(async () => {
  await service.stop();
});

const provider = (...args: string[]) =>
  runCommand(['provider', ...args], {
    env: service.database.env,
  });
const tokenStatus = async () => {
  // A process that has not cached the realm.
  const fresh = await startTestService({ database: service.database });
  const { status } = await requestToken(fresh.url, 'AT-NEW', credentials);
  await fresh.stop();
  return status;
};

test('who has added a provider is told how a program and a person come in, and where', async () => {
  const { code, stdout } = await runCommand(['provider', 'add', 'AT', 'TWO', '--name', 'Two'], {
    env: { ...service.database.env, PUBLIC_URL: 'https://fleet.example.com' },
  });
  expect(code).toBe(0);
  expect(stdout).toContain('motorpool client add AT TWO --name NAME');
  expect(stdout).toContain('motorpool user invite AT TWO USERNAME --role admin');
  expect(stdout).toContain('https://fleet.example.com/console/AT-TWO');
});

test('a disabled provider is served again once it is enabled', async () => {
  expect(await provider('disable', 'AT', 'NEW')).toMatchObject({ stdout: 'Disabled AT-NEW.\n' });
  expect(await tokenStatus()).toBe(404);
  expect(await provider('enable', 'AT', 'NEW')).toMatchObject({ stdout: 'Enabled AT-NEW.\n' });
  expect(await tokenStatus()).toBe(200);
});

test('a provider is removed with --yes alone, and without vehicles and invoices alone', async () => {
  const unsaid = await provider('remove', 'AT', 'NEW');
  expect(unsaid).toMatchObject({ code: 1, stderr: expect.stringContaining('say --yes') });

  await makeFleet(service.db, 'AT', 'NEW', 2);
  const full = await provider('remove', 'AT', 'NEW', '--yes');
  expect(full).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'motorpool: The asset provider AT-NEW still has vehicles: delete them first, or disable the provider.\n',
  });
  expect(await tokenStatus()).toBe(200);

  await service.db.query("delete from vehicles where provider = 'AT-NEW'");
  await service.db.query(
    `insert into invoices (provider, status, type, currency, line_net_amount, allowance_amount, charge_amount,
       tax_exclusive_amount, tax_amount, tax_inclusive_amount, prepaid_amount, rounding_amount, payable_amount, created_at, updated_at)
     values ('AT-NEW', 'draft', 'invoice', 'EUR', 0, 0, 0, 0, 0, 0, 0, 0, 0, now(), now())`,
  );
  expect(await provider('remove', 'AT', 'NEW', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('still has invoices'),
  });
  await service.db.query("delete from invoices where provider = 'AT-NEW'");
  await service.db.query("insert into stored_objects (provider, key) values ('AT-NEW', 'one')");
  expect(await provider('remove', 'AT', 'NEW', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('removes within two hours'),
  });
  await service.db.query("delete from stored_objects where provider = 'AT-NEW'");
  const removed = await provider('remove', 'AT', 'NEW', '--yes');
  expect(removed).toMatchObject({ code: 0, stdout: 'Removed AT-NEW.\n' });
  expect(await tokenStatus()).toBe(404);
  expect((await provider('list', '--json')).stdout).not.toContain('AT-NEW');
});

test('of a removed provider nobody reads what its trail tells of customers, and its code is used again on purpose alone', async () => {
  await provider('add', 'AT', 'OLD', '--name', 'Old');
  const [vehicle] = await makeFleet(service.db, 'AT', 'OLD', 1);
  await service.db.actingAs({ kind: 'command', operation: 'test' }).query(
    `insert into drivers (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id, added_at)
     values ('AT-OLD', $1, 'DE', 'MOB', gen_random_uuid(), now())`,
    [vehicle?.asset.id],
  );
  await service.db.query("delete from vehicles where provider = 'AT-OLD'");
  // What goes with the provider is recorded, too.
  await service.db.query(
    `insert into customer_erasures (provider, customer_country_code, customer_provider_code, customer_id, requested_at)
     values ('AT-OLD', 'DE', 'MOB', gen_random_uuid(), now())`,
  );
  await service.db.query(
    `insert into saved_views (provider, name, definition, created_at, updated_at)
     values ('AT-OLD', 'Of the old one', '{}', now(), now())`,
  );
  await giveUpJob(service.db, randomUUID(), 'plan-fleet', { provider: 'AT-OLD' });
  await giveUpJob(service.db, randomUUID(), 'plan-fleet', { provider: 'AT-NEW' });
  const rowsOf = async (table: string) =>
    (await service.db.query(`select from ${table} where provider = 'AT-OLD'`)).length;
  const keyTables = ['audit_keys', 'audit_key_customers'];
  for (const table of keyTables) expect(await rowsOf(table)).toBeGreaterThan(0);
  expect(await provider('remove', 'AT', 'OLD', '--yes')).toMatchObject({ code: 0 });
  for (const table of [...keyTables, 'event_outbox', 'event_log'])
    expect(await rowsOf(table)).toBe(0);
  expect(await rowsOf('audit_events')).toBeGreaterThan(0);
  const jobs = await service.db.query(
    `select data from pgboss.job where data ->> 'provider' in ('AT-OLD', 'AT-NEW')`,
  );
  expect(jobs).toEqual([{ data: { provider: 'AT-NEW' } }]);

  const again = ['add', 'AT', 'OLD', '--name', 'Other'];
  expect(await provider(...again)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'motorpool: The audit trail of an earlier asset provider AT-OLD is still kept, and the administrators of the new one would read it: ' +
      'say --with-trail if you mean that.\n',
  });
  expect((await provider('list', '--json')).stdout).not.toContain('AT-OLD');
  expect(await provider(...again, '--with-trail')).toMatchObject({ code: 0 });
  expect((await provider(...again)).stderr).toContain('AT-OLD exists already');
});

test('only records of the fleet keep a provider', async () => {
  const referring = await service.db.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint
     where confrelid = 'providers'::regclass and contype = 'f' and confdeltype = 'a' order by 1`,
  );
  const keeping = referring.map(({ name }) => name).filter((name) => !tablesOfRealm.includes(name));
  expect(keeping).toEqual([
    'checklist_templates',
    'maintenance_schedules',
    'stored_objects',
    'vehicles',
  ]);
});
