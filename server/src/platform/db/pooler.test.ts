import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { testSecrets } from '../../testing/global-setup.ts';
import { send } from '../../testing/http-client.ts';
import { createSandbox, type Running, type Sandbox } from '../../testing/sandbox.ts';
import { pgbouncerVersion, startPgbouncer } from '../../testing/start-pgbouncer.ts';
import { createTestDatabase, type TestDatabase, urlOf } from '../../testing/test-database.ts';
import { requestToken } from '../../testing/test-service.ts';
import { startTrapServer } from '../../testing/trap-server.ts';
import { openDatabase } from './database.ts';

const needed = 121;
const isInstalled = pgbouncerVersion !== undefined;
const isRecent = (pgbouncerVersion ?? 0) >= needed;
if (!isInstalled)
  console.warn('PgBouncer is not installed (PGBOUNCER_PATH): its tests are skipped.');

const options = { poolSize: 3, statementTimeoutMs: 10_000 };
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 100 });

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

/** The settings of a process whose connections lead through PgBouncer. */
async function poolerOf(settings?: Record<string, string | number>) {
  const pooler = await startPgbouncer(database.connection, settings);
  const connection = { ...pooler.connection, database: database.connection.database };
  const env = { ...database.env, DATABASE_URL: urlOf(connection) };
  return { ...pooler, connection, env };
}

const refusal =
  /^motorpool: DATABASE_URL: .*PgBouncer 1\.21 or newer with max_prepared_statements .*\.\n$/;

describe.skipIf(!isInstalled)('PgBouncer in transaction mode', () => {
  test('that keeps no prepared statements is refused in one sentence', async ({
    onTestFinished,
  }) => {
    const { env, stop } = await poolerOf(isRecent ? { max_prepared_statements: 0 } : undefined);
    onTestFinished(stop);
    const { code, stderr } = await sandbox.run(['serve'], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(refusal);
  });

  test.skipIf(isRecent)(
    'of an older version is refused, also if it ignores startup parameters',
    async ({ onTestFinished }) => {
      const { env, stop } = await poolerOf({ ignore_startup_parameters: 'options' });
      onTestFinished(stop);
      const { code, stderr } = await sandbox.run(['serve'], { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(refusal);
    },
  );
});

describe.skipIf(!isRecent)('PgBouncer that keeps prepared statements', () => {
  let pooler: Awaited<ReturnType<typeof poolerOf>>;
  beforeAll(async () => {
    // Fewer sessions than the service has connections, so that these share them.
    pooler = await poolerOf({ max_prepared_statements: 100, default_pool_size: 4 });
  });
  afterAll(() => pooler?.stop());

  test.each([
    ['', 'set DATABASE_OWNER_URL'],
    ['pooler', 'let DATABASE_OWNER_URL lead there'],
  ])('migrations are not run through it (%s)', async (owner, remedy) => {
    const DATABASE_OWNER_URL = owner && pooler.env.DATABASE_URL;
    const env = { ...pooler.env, DATABASE_OWNER_URL };
    const { code, stderr } = await sandbox.run(['migrate'], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^motorpool: DATABASE_URL: leads to a connection pooler.*\.\n$/);
    expect(stderr).toContain(remedy);
  });

  describe('serves', () => {
    let running: Running & { url: string };
    let token: string;
    beforeAll(async () => {
      const env = { ...pooler.env, WEBHOOK_NETWORKS: '127.0.0.0/8', LIMIT_CLIENT_CONCURRENCY: '0' };
      running = await sandbox.start(['serve'], { env });
      const db = openDatabase(database.connection, { ...options, secrets: testSecrets });
      const client = await addClient(db, 'DE-ABC', { name: 'test', role: 'admin' });
      await db.close();
      const credentials = { clientId: client.id, clientSecret: client.secret ?? '' };
      token = (await requestToken(running.url, 'DE-ABC', credentials)).json.access_token;
    });

    /** As a client does: one that is told to slow down sends it again. */
    const call = async (method: string, path: string, body?: object) => {
      for (;;) {
        const answer = await send(running.url, {
          method,
          path: `/api/fleets/v1/DE/ABC${path}`,
          body: body && JSON.stringify(body),
          headers: {
            authorization: `Bearer ${token}`,
            ...(body && { 'content-type': 'application/json' }),
          },
        });
        if (answer.status !== 429) return answer;
        await sleep(100);
      }
    };

    test('tokens, writes, reads and searches, many at a time', async () => {
      expect(token).toBeTruthy();
      // At a time twice as many as the pooler has sessions.
      const ids = Array.from({ length: 8 }, (_, index) => `DE*ABC*P${index}`);
      for (const round of [1, 2, 3, 4, 5]) {
        const information = { licensePlate: `B-${round}` };
        const written = await Promise.all(ids.map((id) => call('PUT', `/${id}`, { information })));
        const status = round === 1 ? 201 : 200;
        for (const answer of written) expect(answer, answer.text).toMatchObject({ status });
        const read = await Promise.all(ids.map((id) => call('GET', `/${id}`)));
        for (const { json } of read) expect(json).toMatchObject({ information });
        const found = await Promise.all(ids.map(() => call('POST', '/vehicles')));
        for (const { json } of found) expect(json.items.length).toBe(ids.length);
      }
      expect((await call('DELETE', '/DE*ABC*P0')).status).toBe(204);
      expect((await call('GET', '/DE*ABC*P0')).status).toBe(404);
    });

    test('events, webhooks and jobs', async ({ onTestFinished }) => {
      const receiver = await startTrapServer();
      onTestFinished(receiver.stop);
      expect((await call('POST', '/webhooks', { url: receiver.url })).status).toBe(201);
      await call('PUT', '/DE*ABC*P1', { information: { firstRegistrationDate: '2024-03-15' } });
      await eventually(() => expect(receiver.requested.length).toBeGreaterThan(0));
      expect((await call('POST', '/events/search', {})).json.items.length).toBeGreaterThan(0);
      await call('PUT', '/DE*ABC*P1/inspection', {});
      await eventually(async () =>
        expect((await call('GET', '/DE*ABC*P1/inspection')).json.estimatedAt).toBeTruthy(),
      );
    });
  });

  test('statements go on after a migration has changed their columns, and keep their timeout', async () => {
    const owner = openDatabase(database.owner, options);
    const db = openDatabase({ ...pooler.connection, behindPooler: database.owner }, options);
    await owner.queryUnprepared('create table growing (id int); grant all on growing to public');
    await owner.queryUnprepared('insert into growing values (1)');
    const select = 'select * from growing where id = $1';
    expect(await db.query(select, [1])).toEqual([{ id: 1 }]);
    await owner.queryUnprepared('alter table growing add column name text');
    for (let count = 0; count < 5; count++)
      expect(await db.query(select, [1])).toEqual([{ id: 1, name: null }]);
    const timeout = `select current_setting('statement_timeout') as timeout`;
    expect(await db.query(timeout)).toEqual([{ timeout: '10s' }]);
    await db.transaction(async (tx) =>
      expect(await tx.query(timeout)).toEqual([{ timeout: '10s' }]),
    );
    await db.close();
    await owner.close();
  });
});
