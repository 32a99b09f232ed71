import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteBytes } from '../fleet/files/delete-bytes.ts';
import { sweepBytes } from '../fleet/files/sweep-bytes.ts';
import { withBackupLock } from '../platform/backup/backup-lock.ts';
import { backupEnv, onClient, readContent, startBackupSource } from '../testing/backup-source.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, programFile, type Sandbox } from '../testing/sandbox.ts';
import { createMigratedDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { TestService } from '../testing/test-service.ts';

let sandbox: Sandbox;
let service: TestService;
let source: Record<string, string>;
let file: string;
beforeAll(async () => {
  sandbox = createSandbox();
  service = await startBackupSource();
  source = backupEnv(service.database, service.blobFolder);
  file = join(sandbox.folder, 'backup.tar.gz');
  expect(await runCommand(['backup', file], { env: source })).toMatchObject({ code: 0 });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await sandbox.close();
});

let database: TestDatabase;
let folder: string;
let target: Record<string, string>;
beforeEach(async () => {
  database = await createMigratedDatabase();
  folder = join(sandbox.folder, 'files');
  target = backupEnv(database, folder);
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function expectNothingRestored(): Promise<void> {
  const rows = Object.values(await readContent(database.owner)).flat();
  expect(rows).toEqual([]);
  expect(filesIn(folder)).toEqual([]);
}

async function expectRestorable(): Promise<void> {
  expect(await runCommand(['restore', file], { env: target })).toMatchObject({ code: 0 });
  expect(Object.keys(await readContent(database.owner)).length).toBeGreaterThan(0);
  expect(filesIn(folder)).toEqual(filesIn(service.blobFolder));
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function damaged(change: (bytes: Buffer) => Buffer): string {
  const copy = join(sandbox.folder, 'damaged.tar.gz');
  writeFileSync(copy, change(readFileSync(file)));
  return copy;
}

test.each([
  ['cut within the rows', (bytes: Buffer) => bytes.subarray(0, bytes.length / 3)],
  ['cut before its end', (bytes: Buffer) => bytes.subarray(0, -20)],
  ['changed within a row', (bytes: Buffer) => changeIn(bytes, 'tables/providers/', 'DE-ABC\t')],
  ['changed within a file', (bytes: Buffer) => changeIn(bytes, 'files/')],
  ['given a file that leads out of the store', renameFile],
])('a backup that was %s is refused, and leaves nothing behind', async (_how, change) => {
  const copy = damaged(change);
  const { code, stdout, stderr } = await runCommand(['restore', copy], { env: target });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^motorpool: .*damaged.tar.gz is damaged or no backup, .*\.\n$/);
  await expectNothingRestored();
});

function renameFile(bytes: Buffer): Buffer {
  const tar = gunzipSync(bytes);
  const block = tar.subarray(tar.indexOf('files/'), tar.indexOf('files/') + 512);
  block.fill(0, 0, 100).write('files/../../outside');
  block.fill(' ', 148, 156);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return gzipSync(tar);
}

/** Changes a letter of the first entry whose name begins so, after some text. */
function changeIn(bytes: Buffer, prefix: string, before = ''): Buffer {
  const tar = gunzipSync(bytes);
  const at = tar.indexOf(before, tar.indexOf(prefix) + 512) + before.length;
  tar.write(tar[at] === 88 ? 'Y' : 'X', at);
  return gzipSync(tar);
}

test('what is no backup, or of a newer program, is refused before a database is made', async () => {
  const env = { DATA_DIR: join(sandbox.folder, 'unmade') };
  const newer = damaged((bytes) => {
    const { at, text } = headerOf(bytes);
    const tar = gunzipSync(bytes);
    tar.write(text.replace(/"schemaVersion": \d\d/, '"schemaVersion": 99'), at);
    return gzipSync(tar);
  });
  for (const [path, sentence] of [
    [programFile, /^motorpool: .* is damaged or no backup, .*\n$/],
    [join(sandbox.folder, 'none'), /^motorpool: Cannot read .*\n$/],
    [newer, /^motorpool: The backup has schema version 99, .*restore it with Motorpool .*\n$/],
  ] as const) {
    const { code, stderr } = await runCommand(['restore', path], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
  }
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

function headerOf(bytes: Buffer): { at: number; text: string } {
  const tar = gunzipSync(bytes);
  return { at: 512, text: tar.toString('latin1', 512, tar.indexOf('\0', 512)) };
}

test('a database that is not empty is refused, and stays as it is', async () => {
  await runCommand(['provider', 'add', 'DE', 'ABC', '--name', 'Kept'], { env: target });
  const before = await readContent(database.owner);
  const { code, stderr } = await runCommand(['restore', file], { env: target });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^motorpool: The database is not empty \(\w+ has rows\): .*\n$/);
  expect(await readContent(database.owner)).toEqual(before);
});

test('files that cannot be written leave nothing restored', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'DE-ABC'), 'in the way');
  const { code, stderr } = await runCommand(['restore', file], { env: target });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^motorpool: Nothing was restored: .*\n$/);
  rmSync(join(folder, 'DE-ABC'));
  await expectNothingRestored();
  await expectRestorable();
});

test('a restore that is killed leaves no row, and can be repeated', async () => {
  const bytes = readFileSync(file);
  const child = spawn(process.execPath, [programFile, 'restore', '-'], {
    env: { PATH: process.env.PATH, ...target },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.on('error', () => {});
  // Without the end, it waits within its transaction.
  child.stdin.write(bytes.subarray(0, -100));
  await expect.poll(() => filesIn(folder).length, { timeout: 30_000 }).toBeGreaterThan(3);
  child.kill('SIGKILL');
  await once(child, 'close');
  const rows = Object.values(await readContent(database.owner)).flat();
  expect(rows).toEqual([]);
  await expectRestorable();
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a backup that %s ends leaves the former one',
  async (signal) => {
    const path = join(sandbox.folder, 'kept.tar.gz');
    writeFileSync(path, 'former');
    const blocker = new pg.Client(service.database.owner);
    await blocker.connect();
    await blocker.query('begin; lock table vehicles in access exclusive mode');
    const running = sandbox.spawn(['backup', path], { env: source });
    await expect.poll(() => existsSync(`${path}.partial`), { timeout: 30_000 }).toBe(true);
    running.kill(signal);
    const { code } = await running.ended;
    await blocker.end();
    expect(readFileSync(path, 'utf8')).toBe('former');
    if (signal === 'SIGTERM') {
      expect(code).toBe(130);
      expect(existsSync(`${path}.partial`)).toBe(false);
    }
    expect(await runCommand(['backup', path], { env: source })).toMatchObject({ code: 0 });
    expect(existsSync(`${path}.partial`)).toBe(false);
  },
);

test('a full disk fails a backup with one sentence', async () => {
  const { code, stdout, stderr } = await runCommand(['backup', '/dev/full'], { env: source });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^motorpool: Cannot write \/dev\/full: ENOSPC.*\n$/);
});

test('a backup whose connection is lost fails and leaves no file', async () => {
  const path = join(sandbox.folder, 'lost.tar.gz');
  const blocker = new pg.Client(service.database.owner);
  await blocker.connect();
  await blocker.query('begin; lock table vehicles in access exclusive mode');
  const running = sandbox.spawn(['backup', path], { env: source });
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'motorpool backup' and wait_event_type = 'Lock'`;
  const ended = async () => (await service.owner.queryUnprepared(end)).length;
  await expect.poll(ended, { timeout: 30_000 }).toBe(1);
  const { code, stderr } = await running.ended;
  await blocker.end();
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(readdirSync(sandbox.folder).filter((name) => name.startsWith('lost'))).toEqual([]);
});

test('bytes are deleted after a backup has ended, and one runs at a time', async () => {
  const [blob] = await service.db.query<{ object_key: string }>(
    'select object_key from blobs where object_key is not null limit 1',
  );
  const key = blob?.object_key ?? '';
  await withBackupLock(service.database.owner, async () => {
    const { stderr } = await runCommand(['backup', join(sandbox.folder, 'two')], { env: source });
    expect(stderr).toMatch(/^motorpool: Another backup of this database is running: .*\n$/);
    await service.db.query('delete from blobs where object_key = $1', [key]);
    await sweepBytes(service.dependencies, { graceMs: 0 });
    await service.runJobs();
    expect(existsSync(join(service.blobFolder, key))).toBe(true);
  });
  expect(await deleteBytes(service.dependencies, 'DE-ABC')).toEqual([]);
  expect(existsSync(join(service.blobFolder, key))).toBe(false);
});

test('a file that the store does not have is told of, and the others are backed up', async () => {
  const [blob] = await service.db.query<{ object_key: string }>(
    'select object_key from blobs where object_key is not null limit 1',
  );
  await service.blobs.delete(blob?.object_key ?? '');
  const { code, stdout } = await runCommand(['backup', file], { env: source });
  expect(code).toBe(0);
  expect(stdout).toContain('\nThe store does not have 1 of the files that records refer to.\n');
  expect(await onClient(database.owner, async () => {})).toBeUndefined();
  await expectRestorable();
});
