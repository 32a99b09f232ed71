import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { send } from '../testing/http-client.ts';
import { createSandbox, type Running, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { requestToken } from '../testing/test-service.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox();
});
afterAll(() => sandbox.close());

const credentials = { clientId: 'demo-client', clientSecret: 'demo-secret' };

async function call(url: string, method: string, path: string, body?: object) {
  const token = await requestToken(url, 'DE-ABC', credentials);
  return send(url, {
    method,
    path: `/api/fleets/v1/DE/ABC${path}`,
    headers: {
      authorization: `Bearer ${token.json.access_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
}

async function upload(url: string, vehicle: string): Promise<void> {
  const entry = { date: '2027-02-01', category: 'toll', title: 'Toll' };
  const { json } = await call(url, 'POST', `${vehicle}/logbook`, entry);
  const path = `${vehicle}/blobs/logbook/${json.id}`;
  const file = { filename: 'mine.json', contentType: 'application/json' };
  const { json: announced } = await call(url, 'POST', path, file);
  expect((await call(url, 'PUT', `${path}/${announced.uuid}`, {})).status).toBe(200);
}

async function stop(running: Running): Promise<void> {
  running.kill();
  expect((await running.ended).code).toBe(0);
}

test('the time of the fleet runs from --at on, later on data that is there, and --reset makes it anew', async () => {
  const env = { DATA_DIR: sandbox.dataDir() };
  const start = (...options: string[]) =>
    sandbox.start(['demo', '--no-simulation', ...options], { env });
  const own = '/DE*ABC*MINE';
  const files = () =>
    readdirSync(join(env.DATA_DIR, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const dueSoon = { title: 'Tyres', dueDate: '2027-03-20' };

  const first = await start('--at', '2027-03-01');
  expect(first.stdout()).toContain('\n  Time        from 2027-03-01T00:00:00.000Z on\n');
  expect((await call(first.url, 'PUT', own, { information: { model: 'Mine' } })).status).toBe(201);
  const { json } = await call(first.url, 'POST', `${own}/maintenance`, dueSoon);
  expect([json.status, json.createdAt.slice(0, 10)]).toEqual(['due_soon', '2027-03-01']);
  const before = files();
  await upload(first.url, own);
  const [uploaded] = files().filter((file) => !before.includes(file));
  expect(uploaded).toBeDefined();
  const newest = { sorting: [{ field: 'status.lastUpdated', direction: 'desc' }] };
  const { items } = (await call(first.url, 'POST', '/vehicles', newest)).json;
  expect(items[0].status.lastUpdated).toMatch(/^2027-0[23]-/);
  await stop(first);

  const later = await start('--at', '2027-03-25T12:00:00Z');
  await expect
    .poll(async () => (await call(later.url, 'GET', `${own}/maintenance/${json.id}`)).json.status, {
      timeout: 60_000,
      interval: 500,
    })
    .toBe('overdue');
  await stop(later);

  const anew = await start('--reset');
  expect(anew.stderr()).toBe('');
  expect((await call(anew.url, 'GET', own)).status).toBe(404);
  const { pagination } = (await call(anew.url, 'POST', '/vehicles', {})).json;
  expect(pagination.totalEntries).toBe(260);
  expect(files()).not.toContain(uploaded);
  await stop(anew);
}, 300_000);

test('--reset removes no provider that is not of the demo', async () => {
  const database = await createTestDatabase();
  try {
    const reset = () => sandbox.run(['demo', '--reset'], { env: database.env });
    const db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
    await db.query('update providers set demo = false');
    await db.close();
    const { code, stderr } = await reset();
    expect([code, stderr]).toEqual([1, expect.stringContaining('not of the demo')]);
  } finally {
    await database.drop();
  }
});

test.each(['2027-02-30', 'tomorrow', '1999-01-01', ''])('--at %s is refused', async (at) => {
  const { code, stderr } = await sandbox.run(['demo', '--at', at], { env: {} });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^motorpool: --at must be a date/)]);
});

test('serve knows neither', async () => {
  for (const option of ['--reset', '--at=2027-03-01']) {
    const { code, stderr } = await sandbox.run(['serve', option], { env: {} });
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option')]);
  }
});
