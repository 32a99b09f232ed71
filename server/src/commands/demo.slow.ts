import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { send } from '../testing/http-client.ts';
import { createSandbox, type Running, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { requestToken } from '../testing/test-service.ts';

type Started = Running & { url: string };
const demoClient = { clientId: 'demo-client', clientSecret: 'demo-secret' };

/** A shorter history than by default: what it looks like is a promise of the seed, not of the command. */
const HISTORY_DAYS = '60';

let sandbox: Sandbox;
let dataDir: string;
let demo: Started;
beforeAll(async () => {
  sandbox = createSandbox();
  dataDir = sandbox.dataDir();
  // Without a command, it is the demo.
  demo = await sandbox.start([], { env: { DATA_DIR: dataDir, HISTORY_DAYS } });
});
afterAll(() => sandbox.close());

async function call(url: string, realm: string, method: string, path: string, body?: object) {
  const token = await requestToken(url, realm, demoClient);
  return send(url, {
    method,
    path: `/api/fleets/v1/${realm.replace('-', '/')}${path}`,
    headers: {
      authorization: `Bearer ${token.json.access_token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body && JSON.stringify(body),
  });
}

async function fleetSize(url: string, realm: string): Promise<number> {
  const { json } = await call(url, realm, 'POST', '/vehicles', {});
  return json.pagination.totalEntries;
}

async function stop(running: Running): Promise<void> {
  running.kill();
  expect((await running.ended).code).toBe(0);
}

test('the first start makes both fleets and says how to get in', async () => {
  expect(await fleetSize(demo.url, 'DE-ABC')).toBe(260);
  expect(await fleetSize(demo.url, 'FR-XYZ')).toBe(20);
  const output = demo.stdout();
  for (const part of [
    `Motorpool runs at ${demo.url}\n`,
    `${demo.url}/docs?realm=DE-ABC\n`,
    `${demo.url}/docs/guides/getting-started\n`,
    `${demo.url}/openapi.json\n`,
    'DE/ABC (260 vehicles), FR/XYZ (20 vehicles)',
    'demo-client / demo-secret',
    'demo / demo',
  ])
    expect(output).toContain(part);
  for (const path of ['/docs?realm=DE-ABC', '/docs/guides/getting-started', '/openapi.json']) {
    const answer = await send(demo.url, { path });
    expect(answer.status).toBe(200);
  }
  expect(demo.stderr()).toBe('');
});

test('the fleet is alive: vehicles tell of themselves, and nothing else changes', async () => {
  expect(demo.stdout()).toMatch(
    /\n {2}Simulation {2}40 vehicles of DE\/ABC drive, park and charge;/,
  );
  const metrics = async () => (await send(demo.url, { path: '/metrics' })).text;
  const sent = /_count\{operation="sendDataboxMessages",method="POST",status="200"\} [1-9]/;
  await expect.poll(metrics, { timeout: 60_000, interval: 200 }).toMatch(sent);
  expect(await fleetSize(demo.url, 'DE-ABC')).toBe(260);
  expect(demo.stderr()).toBe('');
});

test('the three printed lines work when they are pasted into a shell', () => {
  const lines = demo
    .stdout()
    .split('\n')
    .filter((line) => /^(TOKEN=|curl )/.test(line));
  expect(lines).toHaveLength(3);
  const shell = spawnSync('bash', ['--norc'], {
    input: lines.map((line) => `${line}\nprintf '\\f'\n`).join(''),
    encoding: 'utf8',
  });
  expect(shell).toMatchObject({ status: 0, stderr: '' });
  const [token = '', page = '', problem = ''] = shell.stdout.split('\f');
  expect(token).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
  const { items, pagination } = JSON.parse(page);
  expect(items).toHaveLength(2);
  expect(pagination.totalEntries).toBeGreaterThan(2);
  for (const { information } of items) expect(JSON.stringify(information)).toMatch(/golf/i);
  expect(JSON.parse(problem)).toMatchObject({
    status: 400,
    errors: [{ pointer: '/filters/0/value' }],
  });
});

describe('on the data of a demo that has stopped,', () => {
  const path = '/DE*ABC*MINE';

  let uploaded: string | undefined;

  const filesIn = (folder: string) =>
    readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  async function upload(): Promise<void> {
    const entry = { date: '2027-02-01', category: 'toll', title: 'Toll' };
    const { json } = await call(demo.url, 'DE-ABC', 'POST', `${path}/logbook`, entry);
    const files = `${path}/blobs/logbook/${json.id}`;
    const file = { filename: 'mine.json', contentType: 'application/json' };
    const { json: announced } = await call(demo.url, 'DE-ABC', 'POST', files, file);
    const sent = await call(demo.url, 'DE-ABC', 'PUT', `${files}/${announced.uuid}`, {});
    expect(sent.status).toBe(200);
  }

  beforeAll(async () => {
    const put = await call(demo.url, 'DE-ABC', 'PUT', path, { information: { model: 'Mine' } });
    expect(put.status).toBe(201);
    const before = filesIn(dataDir);
    await upload();
    [uploaded] = filesIn(dataDir).filter((file) => !before.includes(file));
    expect(uploaded).toBeDefined();
    await stop(demo);
  });

  test('a second start keeps what was changed, and warns when more than this machine can reach it', async () => {
    const env = { DATA_DIR: sandbox.copyOf(dataDir), HISTORY_DAYS, HOST: '0.0.0.0' };
    const second = await sandbox.start(['demo', '--no-simulation'], { env });
    expect(second.stdout()).toMatch(/\n {2}Simulation {2}off\n/);
    expect(await fleetSize(second.url, 'DE-ABC')).toBe(261);
    expect(await fleetSize(second.url, 'FR-XYZ')).toBe(20);
    expect((await call(second.url, 'DE-ABC', 'GET', path)).json.information.model).toBe('Mine');
    await expect
      .poll(second.stderr)
      .toBe(
        `Warning: HOST is 0.0.0.0. Anyone who reaches port ${new URL(second.url).port} can sign in with the demo credentials.\n`,
      );
    await stop(second);
  });

  test('serve honours no demo credential', async () => {
    const env = { DATA_DIR: sandbox.copyOf(dataDir), HISTORY_DAYS };
    const service = await sandbox.start(['serve'], { env });
    for (const realm of ['DE-ABC', 'FR-XYZ'])
      expect((await requestToken(service.url, realm, demoClient)).status).toBe(401);
    await stop(service);
  });

  test('--reset makes the fleet anew, whose time runs from --at on, and later on data that is there', async () => {
    const env = { DATA_DIR: sandbox.copyOf(dataDir), HISTORY_DAYS };
    const start = (...options: string[]) =>
      sandbox.start(['demo', '--no-simulation', ...options], { env });
    const anew = await start('--reset', '--at', '2027-03-01');
    expect(anew.stderr()).toBe('');
    expect(anew.stdout()).toContain('\n  Time        from 2027-03-01T00:00:00.000Z on\n');
    expect((await call(anew.url, 'DE-ABC', 'GET', path)).status).toBe(404);
    expect(await fleetSize(anew.url, 'DE-ABC')).toBe(260);
    expect(filesIn(env.DATA_DIR)).not.toContain(uploaded);
    const newest = { sorting: [{ field: 'status.lastUpdated', direction: 'desc' }] };
    const { items } = (await call(anew.url, 'DE-ABC', 'POST', '/vehicles', newest)).json;
    expect(items[0].status.lastUpdated).toMatch(/^2027-0[23]-/);
    await call(anew.url, 'DE-ABC', 'PUT', path, { information: { model: 'Anew' } });
    const dueSoon = { title: 'Tyres', dueDate: '2027-03-20' };
    const { json } = await call(anew.url, 'DE-ABC', 'POST', `${path}/maintenance`, dueSoon);
    expect([json.status, json.createdAt.slice(0, 10)]).toEqual(['due_soon', '2027-03-01']);
    await stop(anew);

    const later = await start('--at', '2027-03-25T12:00:00Z');
    const report = `${path}/maintenance/${json.id}`;
    await expect
      .poll(async () => (await call(later.url, 'DE-ABC', 'GET', report)).json.status, {
        timeout: 60_000,
        interval: 500,
      })
      .toBe('overdue');
    await stop(later);
  }, 300_000);
});

test('the demo keeps out of a database that holds other providers', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
  await db.query('update providers set demo = false');
  const ended = await sandbox.run(['demo'], { env: database.env });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(
    /^motorpool: This database holds asset providers already, .* "motorpool serve"\.\n$/,
  );
  expect(await db.query('select 1 from vehicles')).toEqual([]);
  await db.close();
  await database.drop();
});
