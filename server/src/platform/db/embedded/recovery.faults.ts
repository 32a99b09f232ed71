import { spawn } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { recordFigure } from '../../../faults/figures.ts';
import { send } from '../../../testing/http-client.ts';
import { processesIn } from '../../../testing/processes.ts';
import { createSandbox, postgresOf, type Sandbox } from '../../../testing/sandbox.ts';
import { requestToken } from '../../../testing/test-service.ts';

const isLinux = process.platform === 'linux';
// One with each order of the kills; npm run test:faults has more of them.
const rounds = Number(process.env.KILL_ROUNDS ?? 2);
type Credentials = { clientId: string; clientSecret: string };

let sandbox: Sandbox;
let preparedDir: string;
let credentials: Credentials;
beforeAll(async () => {
  sandbox = createSandbox();
  preparedDir = sandbox.dataDir();
  const env = { DATA_DIR: preparedDir };
  await sandbox.run(['provider', 'add', 'DE', 'ABC', '--name', 'Durable'], { env });
  const client = ['client', 'add', 'DE', 'ABC', '--name', 'Writer', '--json'];
  credentials = JSON.parse((await sandbox.run(client, { env })).stdout);
});
afterAll(() => sandbox.close());

const start = (dataDir: string) => sandbox.start(['serve'], { env: { DATA_DIR: dataDir } });

async function writerOf(url: string) {
  const { json } = await requestToken(url, 'DE-ABC', credentials);
  const call = (method: string, id: string) =>
    send(url, {
      method,
      path: `/api/fleets/v1/DE/ABC/${id}`,
      headers: {
        authorization: `Bearer ${json.access_token}`,
        ...(method === 'PUT' ? { 'content-type': 'application/json' } : {}),
      },
      body: method === 'PUT' ? '{"information":{"model":"Golf"}}' : undefined,
    });
  return {
    put: (id: string) => call('PUT', id),
    get: (id: string) => call('GET', id),
  };
}

function runningOn(dataDir: string): number {
  const pid = postgresOf(dataDir);
  if (pid === undefined) throw new Error(`No PostgreSQL runs on ${dataDir}.`);
  return pid;
}

/** Kills the postmaster while one of its children is stopped, so that no other server can start yet. */
async function killPostmaster(dataDir: string): Promise<{ resumeChild(): void }> {
  const postmaster = runningOn(dataDir);
  const child = processesIn(dataDir).find(({ title }) => title.includes('checkpointer'));
  if (!child) throw new Error('PostgreSQL has no checkpointer.');
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(child.pid, signal);
    } catch {
      // It has exited.
    }
  };
  send('SIGSTOP');
  onTestFinished(() => send('SIGKILL'));
  process.kill(postmaster, 'SIGKILL');
  await expect.poll(() => postgresOf(dataDir), { interval: 5 }).not.toBe(postmaster);
  return { resumeChild: () => send('SIGCONT') };
}

test('after kill -9 of the service, the next one joins its PostgreSQL and later stops it', async () => {
  const dataDir = sandbox.copyOf(preparedDir);
  const first = await start(dataDir);
  const postgres = postgresOf(dataDir);
  expect((await (await writerOf(first.url)).put('DE*ABC*V1')).status).toBe(201);
  first.kill('SIGKILL');
  await first.ended;
  expect(postgresOf(dataDir)).toBe(postgres);

  const second = await start(dataDir);
  expect(postgresOf(dataDir)).toBe(postgres);
  expect((await (await writerOf(second.url)).get('DE*ABC*V1')).status).toBe(200);
  second.kill();
  expect((await second.ended).code).toBe(0);
  expect(postgresOf(dataDir)).toBeUndefined();
});

test.skipIf(!isLinux)(
  'while its PostgreSQL is away the service answers 503, and recovers by itself',
  async () => {
    const dataDir = sandbox.copyOf(preparedDir);
    const service = await start(dataDir);
    const writer = await writerOf(service.url);
    const postgres = postgresOf(dataDir);
    expect((await writer.put('DE*ABC*V1')).status).toBe(201);
    const { resumeChild } = await killPostmaster(dataDir);

    for (const answer of [
      await writer.put('DE*ABC*V2'),
      await writer.get('DE*ABC*V1'),
      await send(service.url, { path: '/health/ready' }),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['content-type']).toBe('application/problem+json');
    }
    expect((await send(service.url, { path: '/health/live' })).status).toBe(200);

    resumeChild();
    const status = async () => (await writer.get('DE*ABC*V1')).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
    expect(postgresOf(dataDir)).not.toBe(postgres);
    expect((await writer.put('DE*ABC*V2')).status).toBe(201);
    service.kill();
    expect((await service.ended).code).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
    // The last children of the killed server exit by themselves.
    await expect.poll(() => processesIn(dataDir), { timeout: 60_000 }).toEqual([]);
  },
);

test('a worker alone brings its PostgreSQL back, and stays when a service beside it leaves', async () => {
  const dataDir = sandbox.copyOf(preparedDir);
  const worker = sandbox.spawn(['worker'], { env: { DATA_DIR: dataDir } });
  await expect.poll(worker.stdout, { timeout: 60_000 }).toContain('"working"');
  const killed = runningOn(dataDir);
  process.kill(killed, 'SIGKILL');
  await expect
    .poll(() => postgresOf(dataDir), { timeout: 60_000 })
    .toSatisfy((pid) => pid !== undefined && pid !== killed);

  const service = await start(dataDir);
  const postgres = postgresOf(dataDir);
  service.kill();
  expect((await service.ended).code).toBe(0);
  expect(postgresOf(dataDir)).toBe(postgres);
  worker.kill();
  expect((await worker.ended).code).toBe(0);
  expect(postgresOf(dataDir)).toBeUndefined();
});

test.skipIf(!isLinux)(
  'a stop while PostgreSQL is being brought back leaves none running',
  async () => {
    const dataDir = sandbox.copyOf(preparedDir);
    const service = await start(dataDir);
    const { resumeChild } = await killPostmaster(dataDir);
    service.kill();
    resumeChild();
    expect((await service.ended).code).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
    // The last children of the killed server exit by themselves.
    await expect.poll(() => processesIn(dataDir), { timeout: 60_000 }).toEqual([]);
    // The next server releases the shared memory of the killed one.
    expect((await sandbox.run(['migrate'], { env: { DATA_DIR: dataDir } })).code).toBe(0);
  },
);

test
  .skipIf(!isLinux)
  .each([
    [['postmaster.pid']],
    [['.s.PGSQL.5432.lock']],
    [['postmaster.pid', '.s.PGSQL.5432.lock']],
  ])(
  'lock files whose pid is another program’s by now do not keep it from starting: %j',
  async (names) => {
    const dataDir = sandbox.copyOf(preparedDir);
    const pgData = join(dataDir, 'postgres');
    const { uid, gid } = statSync(pgData);
    const other = spawn('sleep', ['600'], { uid, gid });
    onTestFinished(() => void other.kill());
    const lock = [other.pid, '/proc/self/cwd', 1, 5432, '.', '', '1 1', 'ready', ''];
    for (const name of names) {
      writeFileSync(join(pgData, name), lock.join('\n'));
      chownSync(join(pgData, name), uid, gid);
    }
    const { code, stderr } = await sandbox.run(['migrate'], { env: { DATA_DIR: dataDir } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(other.exitCode).toBeNull();
  },
);

test('kill -9 of both at any moment loses no acknowledged write', async () => {
  const dataDir = sandbox.copyOf(preparedDir);
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const service = await start(dataDir);
    const writer = await writerOf(service.url);
    for (const id of acknowledged) expect((await writer.get(id)).status).toBe(200);

    let killed: Promise<void> | undefined;
    for (let count = 0; ; count++) {
      const id = `DE*ABC*R${round}-${count}`;
      const answer = await writer.put(id).catch(() => undefined);
      // The service may outlive its PostgreSQL for a moment, and answer 503.
      if (killed && answer?.status !== 201) break;
      expect(answer?.status).toBe(201);
      acknowledged.push(id);
      killed ??= sleep(Math.random() * 150).then(() => {
        const postgres = runningOn(dataDir);
        if (round % 2 === 0) service.kill('SIGKILL');
        process.kill(postgres, 'SIGKILL');
        service.kill('SIGKILL');
      });
    }
    await killed;
    await service.ended;
  }
  const service = await start(dataDir);
  const writer = await writerOf(service.url);
  for (const id of acknowledged) expect((await writer.get(id)).status).toBe(200);
  service.kill();
  expect((await service.ended).code).toBe(0);
  expect(postgresOf(dataDir)).toBeUndefined();
  recordFigure(
    'service and PostgreSQL killed',
    `${rounds} times: ${acknowledged.length} writes acknowledged, none lost`,
  );
});
