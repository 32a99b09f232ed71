import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../testing/http-client.ts';
import { migratedDataDir } from '../testing/migrated-data-dir.ts';
import { processesIn } from '../testing/processes.ts';
import { createSandbox, postgresOf, type Sandbox } from '../testing/sandbox.ts';
import { type Call, createSearchModel } from '../testing/search-model.ts';
import { createServed, type Served } from '../testing/serve.ts';

type Started = Awaited<ReturnType<Served['start']>>;

const count = 2;
const noLimits = { LIMIT_CLIENT_RATE: '0', LIMIT_PROVIDER_RATE: '0' };

/** The processes that log what they serve; each request has a connection of its own, so that all get some. */
const pidsOf = ({ stdout }: Pick<Started, 'stdout'>) =>
  new Set([...stdout().matchAll(/"pid":(\d+).*"msg":"answered"/g)].map(([, pid]) => Number(pid)));

const statusOf = async (url: string) => (await send(url, { path: '/health/ready' })).status;

async function readMetric({ url }: { url: string }, name: string): Promise<number> {
  const { text } = await send(url, { path: '/metrics' });
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

describe('several processes on one port', () => {
  let served: Served;
  let service: Started;
  const model = createSearchModel();
  const call: Call = (method, path, body) =>
    send(service.url, {
      method,
      path: `/api/fleets/v1/DE/ABC${path}`,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const requests =
    'motorpool_http_request_duration_seconds_count{operation="findVehicles",method="POST",status="200"}';
  const search = { pagination: { pageNumber: 0, pageSize: 1 } };

  beforeAll(async () => {
    served = await createServed();
    service = await served.start({ PROCESSES: String(count), ...noLimits });
  });
  afterAll(() => served.close());

  test('all of them serve, and whatever is written through one is found through every other', async () => {
    await model.seed(served.db);
    await model.check([call]);
    expect(pidsOf(service).size).toBe(count);
    expect(pidsOf(service)).not.toContain(service.pid);
  });

  test('the metrics of every one are those of all', async () => {
    const before = await readMetric(service, requests);
    for (let number = 0; number < 2 * count; number++) await call('POST', '/vehicles', search);
    for (let number = 1; number <= count; number++)
      expect(await readMetric(service, requests)).toBe(before + 2 * count);
    expect(await readMetric(service, 'motorpool_processes')).toBe(count);
    expect(await readMetric(service, 'motorpool_jobs_waiting{job="dead"}')).toBe(0);
    expect(await readMetric(service, 'motorpool_database_connections_max')).toBe(count * 11);
  });

  test('one that is killed is replaced, and what it had counted still counts', async () => {
    const counted = await readMetric(service, requests);
    const [killed = 0] = pidsOf(service);
    process.kill(killed, 'SIGKILL');
    // A connection that was handed to it at that moment has no answer.
    await expect.poll(service.stdout).toContain('"msg":"a process ended, and is replaced"');
    await expect.poll(() => readMetric(service, 'motorpool_process_restarts_total')).toBe(1);
    await expect.poll(() => readMetric(service, 'motorpool_processes')).toBe(count);
    expect(await readMetric(service, requests)).toBe(counted);
  });

  test('SIGHUP replaces all of them, and no request fails meanwhile', async () => {
    const counted = await readMetric(service, requests);
    let sent = 0;
    let rolled = false;
    const client = async () => {
      while (!rolled) {
        expect((await call('POST', '/vehicles', search)).status).toBe(200);
        sent += 1;
      }
    };
    const clients = Promise.all([client(), client()]);
    service.kill('SIGHUP');
    await expect
      .poll(service.stdout, { timeout: 100_000 })
      .toContain('"msg":"all processes are replaced"');
    rolled = true;
    await clients;
    expect(await readMetric(service, requests)).toBe(counted + sent);
    expect(await readMetric(service, 'motorpool_processes')).toBe(count);
    expect(await readMetric(service, 'motorpool_process_restarts_total')).toBe(1);
  });

  test('all end with the supervisor, in order', async () => {
    service.kill();
    const { code, stdout, stderr } = await service.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/"msg":"stopped"\}\n$/);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).level),
    ).not.toContain('fatal');
    expect(processesIn(served.folder)).toEqual([]);
  });

  test('one that hangs is killed when SHUTDOWN_TIMEOUT_MS is over', async () => {
    service = await served.start({ PROCESSES: '2', SHUTDOWN_TIMEOUT_MS: '1000', ...noLimits });
    for (let number = 0; number < 4; number++) await call('POST', '/vehicles', search);
    const [frozen = 0] = pidsOf(service);
    process.kill(frozen, 'SIGSTOP');
    service.kill();
    const { code, stderr } = await service.ended;
    expect([code, stderr]).toEqual([
      1,
      'motorpool: The stop took longer than SHUTDOWN_TIMEOUT_MS and was cut short.\n',
    ]);
    await expect.poll(() => processesIn(served.folder)).toEqual([]);
  });

  test('they end when the supervisor is killed', async () => {
    service = await served.start({ PROCESSES: '2' });
    service.kill('SIGKILL');
    await service.ended;
    await expect.poll(() => processesIn(served.folder)).toEqual([]);
  });
});

describe('with the embedded PostgreSQL', () => {
  let sandbox: Sandbox;
  let dataDir: string;
  beforeAll(async () => {
    sandbox = createSandbox();
    dataDir = await migratedDataDir(sandbox);
  });
  afterAll(() => sandbox.close());

  test('a start that fails is told in one sentence, and nothing stays', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = String(typeof address === 'object' && address?.port);
    const env = { DATA_DIR: dataDir, PROCESSES: '2', PORT: port };
    const { code, stderr } = await sandbox.run(['serve'], { env });
    server.close();
    expect([code, stderr]).toEqual([
      1,
      `motorpool: PORT: something else listens on 127.0.0.1:${port} already: stop it, or set another PORT.\n`,
    ]);
    expect(processesIn(sandbox.folder)).toEqual([]);
  });

  test('the processes share one server, which accepts the connections of all and ends with them', async () => {
    const env = { DATA_DIR: dataDir, PROCESSES: '2', DATABASE_POOL_SIZE: '50', METRICS_PORT: '0' };
    const service = await sandbox.start(['serve'], { env });
    expect(await statusOf(service.url)).toBe(200);
    expect(service.stdout()).not.toContain('need more connections');
    const metricsUrl = /"metricsUrl":"(http:[^"]+)\/metrics"/.exec(service.stdout())?.[1] ?? '';
    expect(await readMetric({ url: metricsUrl }, 'motorpool_processes')).toBe(2);
    const postgres = postgresOf(dataDir);
    expect(postgres).toBeDefined();
    // It starts again when it dies, once for all.
    process.kill(postgres ?? 0, 'SIGKILL');
    await expect.poll(() => postgresOf(dataDir)).not.toBe(postgres);
    await expect.poll(() => statusOf(service.url)).toBe(200);
    service.kill();
    expect((await service.ended).code).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
  });
});
