import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { addProvider, tablesOfRealm } from '../auth/providers.ts';
import { addUser } from '../auth/users.ts';
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

test('a provider is removed with --yes alone, and without vehicles alone', async () => {
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
  const removed = await provider('remove', 'AT', 'NEW', '--yes');
  expect(removed).toMatchObject({ code: 0, stdout: 'Removed AT-NEW.\n' });
  expect(await tokenStatus()).toBe(404);
  expect((await provider('list', '--json')).stdout).not.toContain('AT-NEW');
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
