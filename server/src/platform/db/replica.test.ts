import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../fleet/index.ts';
import { type Answer, send } from '../../testing/http-client.ts';
import { createSandbox, type Running, type Sandbox } from '../../testing/sandbox.ts';
import { requestToken } from '../../testing/test-service.ts';

/** A primary and its standby, of a PostgreSQL of the system that has pg_basebackup; the embedded one does not. */
const versions = '/usr/lib/postgresql';
const programs = newestPrograms();
const account = accountOf('postgres');
const canRun = programs !== undefined && account !== undefined;
if (!canRun)
  process.stdout.write('Read replicas are not tested: PostgreSQL is not installed here.\n');

function newestPrograms(): string | undefined {
  try {
    const [newest] = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
    return newest && join(versions, newest, 'bin');
  } catch {
    return undefined;
  }
}

function accountOf(name: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((part) =>
    spawnSync('id', [part, name], { encoding: 'utf8' }),
  );
  if (process.getuid?.() !== 0 || uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Of their sockets, which are in one folder. */
const ports = { primary: 5432, standby: 5433 };
type Server = keyof typeof ports;

describe.skipIf(!canRun)('with a standby as DATABASE_READ_URL', () => {
  let sandbox: Sandbox;
  let folder: string;
  let service: Running & { url: string };
  let token: string;
  let written = 0;

  const run = (program: string, ...args: string[]) =>
    execFileSync(join(programs ?? '', program), args, { ...account, cwd: folder, stdio: 'ignore' });
  const start = (name: Server) => {
    const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c port=${ports[name]} -c fsync=off`;
    run('pg_ctl', 'start', '-w', '-D', name, '-l', `${name}.log`, '-o', options);
  };
  const stop = (name: Server) => run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', name);
  const urlOf = (name: Server) =>
    `postgres://postgres@localhost:${ports[name]}/fleet?host=${encodeURIComponent(folder)}`;

  async function onStandby(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: urlOf('standby') });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  /** Without an agent, on a connection of its own, which any of the processes serves. */
  function call(
    method: string,
    path: string,
    body?: object,
    { position, agent = false }: { position?: string; agent?: Agent | false } = {},
  ): Promise<Answer> {
    return send(
      service.url,
      {
        method,
        path: `/api/fleets/v1/DE/ABC${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': body && 'application/json',
          'motorpool-position': position,
        },
        body: body && JSON.stringify(body),
      },
      agent,
    );
  }

  /** Returns the position of the log that the answer has. */
  async function writeVehicle(agent: Agent | false = false): Promise<string> {
    const body = { information: { vendor: 'VW' } };
    const { status, headers } = await call('PUT', `/DE*ABC*${written + 1}`, body, { agent });
    expect(status).toBe(201);
    written += 1;
    expect(headers['motorpool-position']).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
    return String(headers['motorpool-position']);
  }

  async function countVehicles(options?: Parameters<typeof call>[3]): Promise<number> {
    const { status, json } = await call('POST', '/vehicles', {}, options);
    expect(status).toBe(200);
    return json.pagination.totalEntries;
  }

  async function metric(name: string): Promise<number> {
    const { text } = await send(service.url, { path: '/metrics' });
    const line = text.split('\n').find((one) => one.startsWith(name));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
  const readsBy = (result: string) => metric(`motorpool_replica_reads_total{result="${result}"}`);

  const readsStandby = async (): Promise<boolean> => {
    const before = await readsBy('replica');
    expect(await countVehicles()).toBe(written);
    return (await readsBy('replica')) > before;
  };

  beforeAll(async () => {
    sandbox = createSandbox();
    folder = join(sandbox.folder, 'pair');
    mkdirSync(folder);
    chownSync(folder, account?.uid ?? 0, account?.gid ?? 0);
    run('initdb', '--auth=trust', '--encoding=UTF8', '--locale=C', '-D', 'primary');
    start('primary');
    run('createdb', '-h', folder, '-p', String(ports.primary), 'fleet');
    run(
      'pg_basebackup',
      '-h',
      folder,
      '-p',
      String(ports.primary),
      '-D',
      'standby',
      '-R',
      '-c',
      'fast',
    );
    start('standby');
    const env = {
      DATABASE_URL: urlOf('primary'),
      DATABASE_READ_URL: urlOf('standby'),
      DATA_DIR: sandbox.dataDir(),
      PROCESSES: '2',
    };
    await sandbox.run(['provider', 'add', 'DE', 'ABC', '--name', 'Fleet'], { env });
    const added = await sandbox.run(
      ['client', 'add', 'DE', 'ABC', '--name', 'test', '--role', 'admin', '--json'],
      { env },
    );
    service = await sandbox.start(['serve'], { env });
    token = (await requestToken(service.url, 'DE-ABC', JSON.parse(added.stdout))).json.access_token;
    await writeVehicle();
  });
  afterAll(async () => {
    for (const name of ['standby', 'primary'])
      spawnSync(join(programs ?? '', 'pg_ctl'), ['stop', '-m', 'immediate', '-D', name], {
        ...account,
        cwd: folder,
      });
    await sandbox.close();
  });

  test('searches read the standby when it has what was written', async () => {
    await expect.poll(readsStandby).toBe(true);
  });

  test('no search writes, but those that read the primary for it', async () => {
    await expect.poll(readsStandby).toBe(true);
    const before = await readsBy('replica');
    const searches = operations.filter(
      ({ workload, path, query }) => workload === 'search' && !path.includes('{') && !query,
    );
    expect(searches.length).toBeGreaterThan(10);
    for (const { id, method, path, body } of searches) {
      const [example] = Object.values(body?.examples ?? {});
      const { status } = await call(method, path, body && (example?.value as object));
      expect([200, 404], id).toContain(status);
    }
    expect(await readsBy('failed')).toBe(0);
    expect(await readsBy('replica')).toBeGreaterThan(before + 5);
  });

  test('while the standby lags, a client finds what it has written: on its connection, by the position on any other, and soon without', async () => {
    await onStandby('select pg_wal_replay_pause()');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = 0; number < 3; number++) {
      const position = await writeVehicle(agent);
      expect(await countVehicles({ agent })).toBe(written);
      for (let connection = 0; connection < 4; connection++)
        expect(await countVehicles({ position })).toBe(written);
    }
    agent.destroy();
    const countOfEach = async () =>
      new Set([await countVehicles(), await countVehicles(), await countVehicles()]);
    await expect.poll(countOfEach).toEqual(new Set([written]));
    await onStandby('select pg_wal_replay_resume()');
    await expect.poll(readsStandby).toBe(true);
  });

  test('the lag of a standby that replays nothing is told beyond that at which it is read', async () => {
    await onStandby('select pg_wal_replay_pause()');
    await writeVehicle();
    const lag = () => metric('motorpool_replica_lag_seconds');
    await expect.poll(lag, { timeout: 60_000 }).toBeGreaterThan(6);
    expect(await readsStandby()).toBe(false);
    await onStandby('select pg_wal_replay_resume()');
    await expect.poll(readsStandby).toBe(true);
    await expect.poll(lag).toBeLessThan(5);
  });

  test('a position that makes no sense is read from the primary', async () => {
    const before = await readsBy('primary');
    expect(await countVehicles({ position: 'tomorrow' })).toBe(written);
    expect(await readsBy('primary')).toBe(before + 1);
  });

  test('without the standby, the primary answers; when it is back, it is used again', async () => {
    stop('standby');
    for (let number = 0; number < 4; number++) expect(await countVehicles()).toBe(written);
    await writeVehicle();
    expect(await countVehicles()).toBe(written);
    start('standby');
    await expect.poll(readsStandby).toBe(true);
  });
});
