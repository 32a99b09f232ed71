import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDataDir } from '../../../testing/migrated-data-dir.ts';
import { processesIn } from '../../../testing/processes.ts';
import { createSandbox, postgresOf, type Sandbox } from '../../../testing/sandbox.ts';
import type { Cluster } from './cluster.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded-database.ts';
import { rotateLog } from './server-log.ts';

const isLinux = process.platform === 'linux';

let sandbox: Sandbox;
let dataDir: string;
let database: EmbeddedDatabase;
beforeAll(async () => {
  sandbox = createSandbox();
  dataDir = sandbox.dataDir();
  database = await openEmbedded(dataDir, 'command');
});
afterAll(async () => {
  await database.close();
  await sandbox.close();
});

async function queryValue(connection: pg.ClientConfig, query: string): Promise<unknown> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query({ text: query, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

describe('the server', () => {
  test('comes after the service at the processor, and so do its processes', async () => {
    const checkpointer = await queryValue(
      database.superuser,
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    );
    for (const pid of [postgresOf(dataDir), checkpointer])
      expect(getPriority(Number(pid))).toBe(Math.min(getPriority() + 5, 19));
  });

  test('listens on no TCP port', async () => {
    expect(await queryValue(database.service, 'show listen_addresses')).toBe('');
  });

  test.skipIf(!isLinux)('has no TCP socket open', () => {
    const pid = postgresOf(dataDir);
    const sockets = readdirSync(`/proc/${pid}/fd`)
      .map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1])
      .filter((inode) => inode !== undefined);
    const socketsIn = (table: string, column: number) =>
      readFileSync(table, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/)[column])
        .filter((inode) => inode !== undefined && sockets.includes(inode));
    expect(socketsIn('/proc/net/unix', 6)).not.toEqual([]);
    for (const table of ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync))
      expect(socketsIn(table, 9)).toEqual([]);
  });

  test('refuses whoever does not know the password', async () => {
    for (const password of ['', 'motorpool', `${database.service.password}x`])
      await expect(queryValue({ ...database.service, password }, 'select 1')).rejects.toThrow(
        /password/i,
      );
    expect(await queryValue(database.service, 'select 1')).toBe(1);
  });

  test('serves with a role that cannot change the schema, nor become one that can', async () => {
    const ask = (statement: string) => queryValue(database.service, statement);
    expect(await ask('select current_user')).toBe('motorpool_service');
    expect(await ask('select rolsuper from pg_roles where rolname = current_user')).toBe(false);
    for (const statement of ['create table mine (id int)', 'set role motorpool_owner'])
      await expect(ask(statement)).rejects.toThrow('permission denied');
    expect(
      await queryValue(
        database.owner,
        'select pg_get_userbyid(datdba) from pg_database where datname = current_database()',
      ),
    ).toBe('motorpool_owner');
    for (const role of ['motorpool', 'motorpool_owner', 'motorpool_service']) {
      const { mode } = statSync(join(dataDir, 'postgres', `${role}-password`));
      expect(mode & 0o777).toBe(0o600);
    }
  });

  test('gets a new password for a role whose file was lost', async () => {
    const lost = await migratedDataDir(sandbox);
    rmSync(join(lost, 'postgres', 'motorpool_service-password'));
    const again = await openEmbedded(lost, 'command');
    expect(await queryValue(again.service, 'select 1')).toBe(1);
    await again.close();
  });

  test('keeps what is committed through a crash', async () => {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
      expect(await queryValue(database.service, `show ${setting}`)).toBe('on');
  });
});

test('commands at the same moment share one server, and the last to leave stops it', async () => {
  const shared = await migratedDataDir(sandbox);
  const env = { DATA_DIR: shared };
  const commands = Array.from({ length: 4 }, () => sandbox.run(['provider', 'list'], { env }));
  for (const ended of await Promise.all(commands))
    expect(ended).toMatchObject({ code: 0, stdout: 'None.\n', stderr: '' });
  expect(postgresOf(shared)).toBeUndefined();
});

describe('the data folder', () => {
  test.each([
    ['a path longer than that of a socket may be', `${'long-'.repeat(24)}/${'deep-'.repeat(24)}`],
    ['blanks, quotes, brackets and umlauts in its name', `my "fleet's" [data] (ä, €) \${HOME} %d`],
  ])('may have %s', async (_what, name) => {
    const oddDir = sandbox.dataDir(name);
    mkdirSync(oddDir, { recursive: true });
    const before = readdirSync(tmpdir());
    const added = await sandbox.run(['provider', 'add', 'DE', 'ABC', '--name', 'Odd'], {
      env: { DATA_DIR: oddDir },
    });
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const again = await openEmbedded(oddDir, 'command');
    expect(await queryValue(again.service, 'select name from providers')).toBe('Odd');
    await again.close();
    expect(postgresOf(oddDir)).toBeUndefined();
    const left = readdirSync(tmpdir()).filter((entry) => !before.includes(entry));
    expect(left.filter((entry) => /^motorpool-\w{6}$/.test(entry))).toEqual([]);
  });
});

describe.skipIf(!isLinux)('a first start that is broken off', () => {
  /** Starts a command on a fresh folder and waits until initdb is at work. */
  async function startInitdb(fresh: string) {
    const command = sandbox.spawn(['migrate'], { env: { DATA_DIR: fresh } });
    const isInitializing = () => processesIn(fresh).some(({ title }) => title.includes('initdb'));
    await expect.poll(isInitializing, { interval: 5, timeout: 60_000 }).toBe(true);
    return command;
  }

  test('by kill -9 is made up for by the next one, and nothing abandoned stays', async () => {
    const fresh = sandbox.dataDir();
    const command = await startInitdb(fresh);
    command.kill('SIGKILL');
    await command.ended;
    expect(readdirSync(fresh)).not.toContain('postgres');

    const next = await sandbox.run(['migrate'], { env: { DATA_DIR: fresh } });
    expect(next).toMatchObject({ code: 0, stderr: '' });
    expect(next.stdout).toMatch(/^Migrated: /);
    expect(readdirSync(fresh).sort()).toEqual(['postgres', 'postgres.log', 'secrets.key']);
    await expect.poll(() => processesIn(fresh), { timeout: 60_000 }).toEqual([]);
  });

  test('by an interruption leaves a whole folder and nothing running', async () => {
    const fresh = sandbox.dataDir();
    const command = await startInitdb(fresh);
    command.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
    expect(processesIn(fresh)).toEqual([]);
    expect(readdirSync(fresh).sort()).toEqual(['postgres', 'postgres.log', 'secrets.key']);
  });
});

test('a data folder of another PostgreSQL is refused, and the one to run backup with is named', async () => {
  const other = await migratedDataDir(sandbox);
  writeFileSync(join(other, 'postgres/PG_VERSION'), '17\n');
  await expect(openEmbedded(other, 'command')).rejects.toThrow(
    /is of PostgreSQL 17, .*run "motorpool backup FILE" with the Motorpool that has PostgreSQL 17, then "motorpool restore FILE"/,
  );
});

test('why a server that died does not start again is told, and it starts when it can', async () => {
  const other = await migratedDataDir(sandbox);
  const errors: string[] = [];
  const served = await openEmbedded(other, 'service', {
    onError: (error) => void errors.push(error.message),
  });
  const control = join(other, 'postgres/global/pg_control');
  renameSync(control, `${control}.away`);
  process.kill(postgresOf(other) ?? 0, 'SIGQUIT');
  await expect.poll(() => errors.join(), { timeout: 30_000 }).toContain('pg_control');
  renameSync(`${control}.away`, control);
  const answers = () => queryValue(served.service, 'select 1').catch(() => undefined);
  await expect.poll(answers, { timeout: 30_000 }).toBe(1);
  await served.close();
});

test('the log of the server is rotated while it runs', async () => {
  const other = await migratedDataDir(sandbox);
  const served = await openEmbedded(other, 'command');
  const logFile = join(other, 'postgres.log');
  const before = readFileSync(logFile, 'utf8');
  expect(before).not.toBe('');
  rotateLog({ logFile } as Cluster, before.length);
  expect(readdirSync(other)).not.toContain('postgres.log.1');
  rotateLog({ logFile } as Cluster, before.length - 1);
  expect(readFileSync(`${logFile}.1`, 'utf8')).toBe(before);
  await expect(queryValue(served.service, 'select nothing')).rejects.toThrow();
  const after = readFileSync(logFile);
  expect(after.includes('nothing')).toBe(true);
  expect(after.includes(0)).toBe(false);
  await served.close();
});
