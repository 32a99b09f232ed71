import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leftOutTables } from '../platform/backup/database-tables.ts';
import { backupEnv, onClient, readContent, startBackupSource } from '../testing/backup-source.ts';
import { describeSchema } from '../testing/describe-schema.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createEmptyDatabase, type TestDatabase } from '../testing/test-database.ts';
import { requestToken, type TestService } from '../testing/test-service.ts';

let sandbox: Sandbox;
let service: TestService;
let file: string;
let content: Record<string, string[]>;
let credentials: { clientId: string; clientSecret: string };
/** Of an embedded database that it was restored into. */
let embedded: { DATA_DIR: string; SECRETS_KEY: string };
const databases: TestDatabase[] = [];
beforeAll(async () => {
  sandbox = createSandbox();
  service = await startBackupSource();
  file = join(sandbox.folder, 'backup.tar.gz');
  const env = backupEnv(service.database, service.blobFolder);
  const client = ['client', 'add', 'DE', 'ABC', '--name', 'x', '--json'];
  credentials = JSON.parse((await runCommand(client, { env })).stdout);
  // Of a backup that was killed, or of somebody else.
  writeFileSync(`${file}.partial`, '', { mode: 0o644 });
  const backup = await runCommand(['backup', file], { env });
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(backup.stdout).toMatch(
    /^Backed up \d+ rows of \d+ tables, \d+ waiting jobs? and \d+ files \(\d+ kB\) to .*backup.tar.gz.\nThe key of the secrets is not in it /,
  );
  content = await readContent(service.database.owner);
  const { SECRETS_KEY = '' } = service.database.env;
  embedded = { DATA_DIR: sandbox.dataDir(), SECRETS_KEY };
  const restored = await sandbox.run(['restore', file], { env: embedded });
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/^Restored \d+ rows of .* files \(\d+ kB\), as of \S+Z\.\n$/);
}, 300_000);
afterAll(async () => {
  await service.stop();
  for (const database of databases) await database.drop();
  await sandbox.close();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}

/** The bytes of all files by path. */
function filesIn(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length), readFileSync(path, 'base64')]),
  );
}

test('a table is backed up with rows that the test has, or is named as left out', async () => {
  const empty = Object.keys(content).filter((name) => content[name]?.length === 0);
  expect(empty).toEqual([]);
  const { rows } = await onClient(service.database.owner, (client) =>
    client.query(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    ),
  );
  const unlogged = ['status_changes', 'status_watchers'];
  const known = [...Object.keys(content), ...Object.keys(leftOutTables), ...unlogged];
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

test('the file is a tar.gz that only its owner reads', () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const listed = execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).split('\n');
  expect(listed[0]).toBe('header.json');
  expect(listed.at(-2)).toBe('manifest.json');
  expect(readdirSync(sandbox.folder)).not.toContain('backup.tar.gz.partial');
});

test('it moves from an external server to an embedded one and on to another, with every row and file', async () => {
  expect(filesIn(join(embedded.DATA_DIR, 'blobs'))).toEqual(filesIn(service.blobFolder));

  const second = join(sandbox.folder, 'second.tar.gz');
  expect(await sandbox.run(['backup', second], { env: embedded })).toMatchObject({ code: 0 });
  const database = await emptyDatabase();
  const folder = join(sandbox.folder, 'files');
  const again = await runCommand(['restore', second], { env: backupEnv(database, folder) });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(await readContent(database.owner)).toEqual(content);
  expect(filesIn(folder)).toEqual(filesIn(service.blobFolder));
  expect(await onClient(database.owner, describeSchema)).toBe(
    await onClient(service.database.owner, describeSchema),
  );
}, 300_000);

test('what is restored serves, takes further writes, and is backed up while it does', async () => {
  const env = embedded;
  const serving = await sandbox.start(['serve'], { env });
  const { json } = await requestToken(serving.url, 'DE-ABC', credentials);
  const call = (method: string, path: string, body?: object) =>
    fetch(`${serving.url}/api/fleets/v1/DE/ABC${path}`, {
      method,
      headers: {
        authorization: `Bearer ${json.access_token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const found = await (await call('POST', '/vehicles', {})).json();
  expect(found).toMatchObject({ pagination: { totalEntries: content.vehicles?.length } });
  const vehicle = { asset: { active: true }, information: { vendor: 'Volvo', model: 'EX30' } };
  expect((await call('PUT', '/DE*ABC*NEW', vehicle)).status).toBe(201);

  const second = join(sandbox.folder, 'while-serving.tar.gz');
  expect(await sandbox.run(['backup', second], { env })).toMatchObject({ code: 0, stderr: '' });
  const restore = await sandbox.run(['restore', second], { env });
  expect(restore.stderr).toMatch(/^motorpool: Another Motorpool service .*\n$/);
  serving.kill();
  await serving.ended;
}, 300_000);

test('standard output and input carry a backup', async () => {
  const database = await emptyDatabase();
  const program = `${process.execPath} ${join(import.meta.dirname, '../../bin/motorpool.js')}`;
  const folder = join(sandbox.folder, 'piped');
  const restored = execFileSync(
    'sh',
    ['-c', `${program} backup - | env $TARGET ${program} restore -`],
    {
      env: {
        PATH: process.env.PATH,
        ...backupEnv(service.database, service.blobFolder),
        TARGET: Object.entries(backupEnv(database, folder))
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  expect(restored).toMatch(/^Restored /);
  expect(await readContent(database.owner)).toEqual(content);
});

test('another key of the secrets is told of', async () => {
  const database = await emptyDatabase();
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  const env = { ...backupEnv(database, join(sandbox.folder, 'other-key')), SECRETS_KEY };
  const { code, stdout } = await runCommand(['restore', file], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\nIts secrets are sealed under the key \S+, which is not in the backup: /,
  );
  const served = await runCommand(['provider', 'list'], { env });
  expect(served.stderr).toMatch(
    /^motorpool: The secrets of the database are sealed under the key /,
  );
});

test('a folder without a database is not backed up, nor is one made', async () => {
  const env = { DATA_DIR: join(sandbox.folder, 'mistyped') };
  const { code, stdout, stderr } = await runCommand(['backup', '-'], { env });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^motorpool: There is no database in DATA_DIR, .*mistyped: /);
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

test('files that are missing, or of another size than their records have, are told of', async ({
  onTestFinished,
}) => {
  const [missing = '', longer = ''] = filesIn(service.blobFolder).keys();
  for (const name of [missing, longer]) {
    const path = join(service.blobFolder, name);
    const bytes = readFileSync(path);
    onTestFinished(() => writeFileSync(path, bytes));
  }
  rmSync(join(service.blobFolder, missing));
  appendFileSync(join(service.blobFolder, longer), 'x');
  const env = backupEnv(service.database, service.blobFolder);
  const damaged = join(sandbox.folder, 'damaged.tar.gz');
  const backup = await runCommand(['backup', damaged], { env });
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(backup.stdout).toContain('does not have 1 of the files that records refer to.\n');
  expect(backup.stdout).toContain(
    'The store has 1 of the files in another size than their records',
  );
  const folder = join(sandbox.folder, 'damaged');
  const target = { env: backupEnv(await emptyDatabase(), folder) };
  expect(await runCommand(['restore', damaged], target)).toMatchObject({ code: 0, stderr: '' });
  expect(filesIn(folder)).toEqual(filesIn(service.blobFolder));
});
