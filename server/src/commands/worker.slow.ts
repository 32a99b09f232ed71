import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lockWaits } from '../testing/lock-waits.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, type Running, type Sandbox } from '../testing/sandbox.ts';
import { connectBox, startAedes } from '../testing/start-broker.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { startTestService } from '../testing/test-service.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox();
});
afterAll(() => sandbox.close());

const inspection = '/DE*ABC*V1/inspection';
/** Within a minute, or it fails. */
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 100 });

/** A service that enqueues jobs and runs none, a vehicle, and the commands on the same database. */
async function startTestQueue() {
  const database = await createTestDatabase();
  const service = await startTestService({ database });
  const env = database.env;
  // Counts every estimate that was committed.
  await service.owner.queryUnprepared(`
    create table estimates (vehicle_id text);
    create function count_estimate() returns trigger language plpgsql as $$
      begin insert into estimates values (new.vehicle_id); return new; end $$;
    create trigger counted after update of estimate on inspections
      for each row execute function count_estimate();
    grant all on estimates to public;`);
  await service.call('PUT', '/DE*ABC*V1', { information: { firstRegistrationDate: '2024-03-15' } });
  await service.call('PUT', inspection, {});
  await service.runJobs();
  await service.db.query('delete from estimates');
  return {
    ...service,
    database,
    async startWorker() {
      const worker = sandbox.spawn(['worker'], { env });
      await eventually(() => expect(worker.stdout()).toContain('"working"'));
      return worker;
    },
    async trigger() {
      expect((await service.call('PATCH', inspection)).status).toBe(202);
    },
    estimates: async () => (await service.db.query('select 1 from estimates')).length,
    async close() {
      await service.stop();
      await database.drop();
    },
  };
}

async function stop(worker: Running): Promise<void> {
  worker.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 0, stderr: '' });
}

// Concurrently, each on its own database: the second mostly waits.
test.concurrent('a worker does what the service adds, before and while it runs, and stops when it is told to', async ({
  onTestFinished,
}) => {
  const setup = await startTestQueue();
  onTestFinished(setup.close);
  await setup.trigger();
  const worker = await setup.startWorker();
  await eventually(async () => expect(await setup.estimates()).toBe(1));
  await setup.trigger();
  await eventually(async () => expect(await setup.estimates()).toBe(2));
  await stop(worker);
  expect(worker.stdout()).toContain('"stopped"');
  await setup.trigger();
  expect(await setup.runJobs()).toBe(1);
});

test.concurrent('vehicles from before there were estimates are looked at when a worker starts', async ({
  onTestFinished,
}) => {
  const setup = await startTestQueue();
  onTestFinished(setup.close);
  // As a migration leaves them.
  await setup.db.query('delete from maintenance_reports');
  await setup.db.query('delete from inspections');
  const worker = await setup.startWorker();
  await eventually(async () => expect(await setup.estimates()).toBe(1));
  await stop(worker);
  const { json } = await setup.call('POST', '/maintenance', {});
  expect(Object.values(json.items)).toMatchObject([{ source: 'inspection' }]);
});

test.concurrent('a worker killed in the middle of a job: another does it within a minute, and its effect is there once', async ({
  onTestFinished,
}) => {
  const setup = await startTestQueue();
  onTestFinished(setup.close);
  const client = new pg.Client(setup.database.connection);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from inspections for update');
  const killed = await setup.startWorker();
  await setup.trigger();
  // Stopped in the middle, as it waits for a lock only shortly.
  await eventually(async () => {
    killed.kill('SIGCONT');
    expect(await lockWaits(setup.db)).toBe(1);
    killed.kill('SIGSTOP');
    expect(await setup.db.query(estimations)).toEqual([{ state: 'active', tries: 1 }]);
  });
  killed.kill('SIGKILL');
  await killed.ended;
  await client.query('rollback');
  await client.end();

  const other = await setup.startWorker();
  await eventually(async () => expect(await setup.estimates()).toBe(1));
  await stop(other);
  expect(await setup.db.query(estimations)).toEqual([{ state: 'completed', tries: 2 }]);
  expect(await setup.estimates()).toBe(1);
  const planned = `select 1 from maintenance_reports where source = 'inspection'`;
  expect(await setup.db.query(planned)).toHaveLength(1);
});

const estimations = `
  select state::text, retry_count + 1 as tries from pgboss.job
  where name = 'estimate-inspection' and state <> 'completed' or retry_count > 0`;

test.concurrent('a worker receives the messages of boxes, which the service then does not', async ({
  onTestFinished,
}) => {
  const setup = await startTestQueue();
  onTestFinished(setup.close);
  const broker = await startAedes();
  onTestFinished(broker.stop);
  await setup.call('PUT', '/databoxes/BX-1', { vehicleId: 'DE*ABC*V1' });
  const env = { ...setup.database.env, MQTT_URL: broker.url };
  const service = await sandbox.start(['serve'], { env: { ...env, WORKER: 'false' } });
  const worker = sandbox.spawn(['worker'], { env });
  await eventually(() => expect(worker.stdout()).toContain('subscribed to the MQTT broker'));
  const box = await connectBox(broker);
  const message = { timestamp: new Date().toISOString(), odometer: 4_711 };
  await box.publishAsync('motorpool/DE/ABC/BX-1/messages', JSON.stringify(message), { qos: 1 });
  await eventually(async () => {
    const { json } = await setup.call('GET', '/DE*ABC*V1');
    expect(json.status.odometer).toBe(4_711);
  });
  await box.endAsync();
  const ready = await fetch(`${service.url}/health/ready`);
  expect(await ready.json()).toEqual({ status: 'ok' });
  service.kill();
  await service.ended;
  await stop(worker);
});

test.concurrent('a worker serves metrics and health where METRICS_PORT says so', async ({
  onTestFinished,
}) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const worker = sandbox.spawn(['worker'], { env: { ...database.env, METRICS_PORT: '0' } });
  await eventually(() => expect(worker.stdout()).toContain('"working"'));
  const url = /"metricsUrl":"([^"]+)"/.exec(worker.stdout())?.[1] ?? '';
  expect(await (await fetch(url)).text()).toContain('motorpool_build_info{');
  expect((await fetch(new URL('/health/ready', url))).status).toBe(200);
  await stop(worker);
});

test.concurrent('a worker that cannot begin says so and ends', async ({ onTestFinished }) => {
  const setup = await startTestQueue();
  onTestFinished(setup.close);
  await setup.owner.queryUnprepared('alter table charging_redetections rename to elsewhere');
  expect(await sandbox.run(['worker'], { env: setup.database.env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"charging_redetections" does not exist'),
  });
});

// Not concurrently, as a command in this process has its streams.
test('a job that was given up is listed, tried again on request, and then done', async ({
  onTestFinished,
}) => {
  const setup = await startTestQueue();
  onTestFinished(setup.close);
  const jobs = (...args: string[]) => runCommand(['jobs', ...args], { env: setup.database.env });
  const none = { code: 0, stdout: 'None.\n' };
  expect(await jobs('list')).toMatchObject(none);

  await setup.owner.queryUnprepared('alter table estimates rename to elsewhere');
  await setup.trigger();
  await setup.db.query(`update pgboss.job set retry_limit = 0 where state = 'created'`);
  const worker = await setup.startWorker();
  await eventually(() => expect(worker.stdout()).toContain('job estimate-inspection failed'));
  await eventually(async () => {
    const { stdout } = await jobs('list', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        id: expect.any(String),
        name: 'estimate-inspection',
        payload: { provider: 'DE-ABC', vehicleId: 'DE*ABC*V1' },
        addedAt: expect.stringMatching(/Z$/),
        tries: 1,
        error: expect.stringContaining('"estimates" does not exist'),
      },
    ]);
  });
  expect((await jobs('list')).stdout).toMatch(
    /^id +name +addedAt +tries +error +payload\n\S+ +estimate-inspection .*"DE\*ABC\*V1"}\n$/,
  );

  await setup.owner.queryUnprepared('alter table elsewhere rename to estimates');
  expect(await jobs('retry', 'no-id')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"no-id" is not the id of a job.'),
  });
  expect(await jobs('retry', '00000000-0000-4000-8000-000000000000')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Of 1 jobs, 0 were there to be tried again.'),
  });
  expect(await jobs('retry')).toMatchObject({
    code: 0,
    stdout: '1 job will be tried again.\n',
  });
  await eventually(async () => expect(await setup.estimates()).toBe(1));
  expect(await jobs('list')).toMatchObject(none);
  await stop(worker);
});
