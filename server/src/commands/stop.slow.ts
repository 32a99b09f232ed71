import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cuttableProxy } from '../testing/cuttable-proxy.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import {
  createTestDatabase,
  onServer,
  type TestDatabase,
  urlOf,
} from '../testing/test-database.ts';

let sandbox: Sandbox;
let database: TestDatabase;
beforeAll(async () => {
  sandbox = createSandbox();
  database = await createTestDatabase();
});
afterAll(async () => {
  await sandbox.close();
  await database.drop();
});

test.each([
  ['serve', 'all roles', ({ database }: pg.ClientConfig) => `alter database ${database}`],
  [
    'worker',
    'the role of the service',
    ({ database, user }: pg.ClientConfig) => `alter role ${user} in database ${database}`,
  ],
])(
  'a start of %s on a database that is read-only for %s exits with one sentence',
  async (command, _, alter) => {
    const readOnly = await createTestDatabase();
    const { superuser } = inject('postgres');
    await onServer(
      superuser,
      `${alter(readOnly.connection)} set default_transaction_read_only = on`,
    );
    const { code, stderr } = await sandbox.run([command], { env: readOnly.env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^motorpool: [^\n]*read-only transaction\)?\.\n$/);
    await readOnly.drop();
  },
);

test.each(['serve', 'worker'])(
  '%s stops in the time of SHUTDOWN_TIMEOUT_MS while the database does not answer',
  async (command) => {
    const proxy = await cuttableProxy(database.connection);
    const env = {
      ...database.env,
      DATABASE_URL: urlOf(proxy.connection),
      SHUTDOWN_TIMEOUT_MS: '1000',
    };
    const running = sandbox.spawn([command], { env });
    await expect.poll(running.stdout, { timeout: 60_000 }).toMatch(/"(listening|working)"/);
    proxy.freeze();
    running.kill();
    // 0 where nothing waited for the database just then.
    expect([
      [1, 'motorpool: The stop took longer than SHUTDOWN_TIMEOUT_MS and was cut short.\n'],
      [0, ''],
    ]).toContainEqual([(await running.ended).code, running.stderr()]);
    await proxy.cut();
  },
);

test('while SHUTDOWN_DELAY_MS lasts, it is not ready, and serves', async () => {
  const service = await sandbox.start(['serve'], {
    env: { ...database.env, SHUTDOWN_DELAY_MS: '600000' },
  });
  const status = async (path: string) => (await fetch(service.url + path)).status;
  expect(await status('/health/ready')).toBe(200);
  service.kill();
  await expect.poll(() => status('/health/ready')).toBe(503);
  expect(await status('/health/live')).toBe(200);
  expect(await status('/openapi.json')).toBe(200);
  // A second signal ends it at once; what comes with the first counts as the same.
  const again = setInterval(service.kill, 200);
  expect((await service.ended).code).toBe(130);
  clearInterval(again);
});
