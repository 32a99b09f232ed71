import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoFleet } from '../fleet/vehicles/demo/fleet.ts';
import { writeVehicles } from '../fleet/vehicles/public.ts';
import { demoScope } from '../testing/demo-scope.ts';
import { quietWriter } from '../testing/no-subscribers.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

const HOUR_MS = 3_600_000;

let sandbox: Sandbox;
let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  sandbox = createSandbox();
  service = await startTestService();
  env = service.database.env;
  const yesterday = new Date(Date.now() - 30 * HOUR_MS);
  const fleet = demoFleet(demoScope('DE', yesterday)).slice(0, 20);
  await writeVehicles(
    quietWriter(service.db),
    { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    fleet,
  );
});
afterAll(async () => {
  await sandbox.close();
  await service.stop();
});

function simulate(...options: string[]) {
  return sandbox.spawn(['simulate', 'DE', 'ABC', '--url', service.url, ...options], { env });
}

async function clientNames(): Promise<string[]> {
  const rows = await service.db.query<{ name: string }>('select name from clients');
  return rows.map(({ name }) => name);
}

async function countMessages(): Promise<number> {
  const [row] = await service.db.query<{ count: number }>('select count(*) from vehicle_history');
  return row?.count ?? 0;
}

test('some hours of some vehicles are sent, and told in the end', async () => {
  const ended = await simulate('--vehicles', '6', '--speed', '100000', '--hours', '5').ended;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const [, vehicles, km, messages, accepted] =
    /^(\d+) vehicles until \S+: ([\d,]+) km driven, [\d,]+ kWh charged, \d+ charging sessions begun and \d+ ended\.\n([\d,]+) messages: ([\d,]+) accepted, 0 stale, 0 duplicate, 0 rejected\.\n$/.exec(
      ended.stdout,
    ) ?? [];
  expect(vehicles).toBe('6');
  expect(Number(km?.replaceAll(',', ''))).toBeGreaterThan(0);
  expect(accepted).toBe(messages);
  expect(String(await countMessages())).toBe(messages?.replaceAll(',', ''));

  const { json } = await service.call('POST', '/vehicles', {
    filters: [
      {
        field: 'status.lastUpdated',
        operator: 'gte',
        value: new Date(Date.now() - HOUR_MS).toISOString(),
      },
    ],
  });
  expect(json.pagination.totalEntries).toBe(6);
  expect(await clientNames()).not.toContain('simulator');
});

test('without an end it runs until it is interrupted, and takes its client with it', async () => {
  const before = await countMessages();
  const running = simulate('--speed', '60');
  await expect.poll(countMessages, { timeout: 60_000 }).toBeGreaterThan(before);
  expect(await clientNames()).toContain('simulator');
  running.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+ vehicles until .*\n.* messages: .*\n$/);
  expect(await clientNames()).not.toContain('simulator');
});

test('before its end, an interruption is one', async () => {
  const running = simulate('--speed', '60', '--hours', '10');
  await expect.poll(clientNames, { timeout: 60_000 }).toContain('simulator');
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(130);
  expect(await clientNames()).not.toContain('simulator');
});

test('where no service answers, it says so in one sentence', async () => {
  const args = ['simulate', 'DE', 'ABC', '--url', 'http://127.0.0.1:9'];
  expect(await runCommand(args, { env })).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'motorpool: No service answers at http://127.0.0.1:9: start one with "motorpool serve", or say where it is with --url.\n',
  });
});

test.each([
  [['--speed', '0.5'], '--speed must be a number from 1 to 1000000, not "0.5".'],
  [['--speed', 'fast'], '--speed must be a number from 1 to 1000000, not "fast".'],
  [['--hours', '-1'], '--hours must be a number from 0.01 to 8760, not "-1".'],
  [['--vehicles', '2.5'], '--vehicles must be a whole number from 1 to 100000, not "2.5".'],
  [['--url', 'localhost'], '--url: "localhost" is not an address such as http://127.0.0.1:8080.'],
])('%j makes no sense, and is told', async (options, fault) => {
  const args = ['simulate', 'DE', 'ABC', ...options];
  const { code, stderr } = await runCommand(args, { env });
  expect({ code, stderr }).toEqual({ code: 1, stderr: `motorpool: ${fault}\n` });
});

test('a provider without vehicles in service is told, and so is one that does not exist', async () => {
  const url = ['--url', service.url];
  const empty = await runCommand(['simulate', 'FR', 'XYZ', ...url], { env });
  expect(empty).toMatchObject({
    code: 1,
    stderr: 'motorpool: The asset provider FR-XYZ has no vehicle in service.\n',
  });
  expect(await clientNames()).not.toContain('simulator');
  const unknown = await runCommand(['simulate', 'IT', 'NIX', ...url], { env });
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(/^motorpool: There is no asset provider IT-NIX: /);
});
