import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDataDir } from '../testing/migrated-data-dir.ts';
import { createSandbox, postgresOf, type Sandbox } from '../testing/sandbox.ts';

let sandbox: Sandbox;
let preparedDir: string;
beforeAll(async () => {
  sandbox = createSandbox();
  preparedDir = await migratedDataDir(sandbox);
});
afterAll(() => sandbox.close());

async function listen(): Promise<{ server: Server; port: string }> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return { server, port: String(typeof address === 'object' && address?.port) };
}

test('a port that is taken is told in one sentence, before anything is made', async () => {
  const { server, port } = await listen();
  const fresh = join(sandbox.folder, 'fresh');
  const ended = await sandbox.run(['serve'], { env: { DATA_DIR: fresh, PORT: port } });
  server.close();
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `motorpool: PORT: something else listens on 127.0.0.1:${port} already: stop it, or set another PORT.\n`,
  });
  expect(existsSync(fresh)).toBe(false);
});

test('an address that is not of this machine is told in one sentence', async () => {
  const ended = await sandbox.run(['serve'], { env: { DATA_DIR: preparedDir, HOST: '192.0.2.1' } });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(
    /^motorpool: HOST: 192\.0\.2\.1 is not an address of this machine\.\n$/,
  );
  expect(postgresOf(preparedDir)).toBeUndefined();
});

describe('a service that all addresses reach', () => {
  let service: Awaited<ReturnType<Sandbox['start']>>;
  beforeAll(async () => {
    const env = { DATA_DIR: preparedDir, HOST: '0.0.0.0', METRICS_PORT: '0' };
    service = await sandbox.start(['serve'], { env });
  });

  test('has its metrics on a port of their own where METRICS_PORT says so, and only there', async () => {
    const metricsUrl = /"metricsUrl":"(http:\/\/127\.0\.0\.1:\d+)\/metrics"/.exec(
      service.stdout(),
    )?.[1];
    expect(metricsUrl).not.toBe(service.url);
    const statusOf = async (url: string) => (await fetch(url)).status;
    expect(await statusOf(`${service.url}/metrics`)).toBe(404);
    expect(await statusOf(`${service.url}/health/live`)).toBe(200);
    expect(await statusOf(`${service.url}/health/ready`)).toBe(200);
    const scraped = await fetch(`${metricsUrl}/metrics`);
    expect(scraped.status).toBe(200);
    expect(await scraped.text()).toContain('motorpool_http_request_duration_seconds_count');
    for (const path of [
      '/',
      '/health/ready',
      '/docs',
      '/openapi.json',
      '/api/fleets/v1/DE/ABC/x',
    ]) {
      expect(await statusOf(metricsUrl + path), path).toBe(404);
    }
  });

  test('serves until its terminal is closed, and stops in order, PostgreSQL with it', async () => {
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    service.kill('SIGHUP');
    const { code, stdout, stderr } = await service.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/"msg":"stopped"\}\n$/);
    expect(stderr).toMatch(/^There is no asset provider yet: .* provider add .*\n$/);
    expect(postgresOf(preparedDir)).toBeUndefined();
  });
});

test('a port for metrics that is taken is told in one sentence, and no PostgreSQL stays', async () => {
  const { server, port } = await listen();
  const env = { DATA_DIR: preparedDir, METRICS_PORT: port };
  const ended = await sandbox.run(['serve'], { env });
  server.close();
  expect(ended).toMatchObject({
    code: 1,
    stderr: `motorpool: METRICS_PORT: something else listens on 127.0.0.1:${port} already: stop it, or set another METRICS_PORT.\n`,
  });
  expect(postgresOf(preparedDir)).toBeUndefined();
});

test('a start that is broken off leaves no PostgreSQL running', async () => {
  const service = sandbox.spawn(['serve'], { env: { DATA_DIR: preparedDir } });
  await expect.poll(() => postgresOf(preparedDir), { interval: 5, timeout: 60_000 }).toBeDefined();
  service.kill('SIGTERM');
  // 0 when it finished before the signal.
  expect([130, 0]).toContain((await service.ended).code);
  expect(postgresOf(preparedDir)).toBeUndefined();
});
