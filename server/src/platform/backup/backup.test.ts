import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { describeSchema } from '../../testing/describe-schema.ts';
import { runCommand } from '../../testing/run-command.ts';
import { createEmptyDatabase } from '../../testing/test-database.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileStore } from '../blobs/file-store.ts';
import { migrate } from '../db/migrate.ts';
import { dump } from './dump.ts';
import { formatName, formatVersion } from './format.ts';
import { BackupReader } from './read-backup.ts';
import { readTar, tarEnd, tarEntry } from './tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'motorpool-backup-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the backup of an earlier schema is restored at its version, and then migrated', async () => {
  const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const schemaOf = async (connection: pg.ClientConfig, statement = 'select 1') => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      await client.query(statement);
      return await describeSchema(client);
    } finally {
      await client.end();
    }
  };
  try {
    // The table that the dump reads the files of is older; that of the next migration is not there.
    await migrate(source.owner, { serviceRole: source.connection.user, target: 25 });
    const old = await schemaOf(source.owner, `insert into providers values ('DE-ABC', 'Old')`);
    const file = await backUp(
      source.owner,
      'select object_key as key, size from blobs where false',
    );
    const env = { ...target.env, BLOB_URL: `file://${folder}` };
    expect(await runCommand(['restore', file], { env })).toMatchObject({ code: 0, stderr: '' });
    const listed = await runCommand(['provider', 'list'], { env });
    expect(listed.stdout).toContain('Old');
    const restored = await schemaOf(target.owner);
    expect(restored).not.toBe(old);
    await migrate(source.owner, { serviceRole: source.connection.user });
    expect(restored).toBe(await schemaOf(source.owner));
  } finally {
    await source.drop();
    await target.drop();
  }
});

async function backUp(connection: pg.ClientConfig, selectFiles: string): Promise<string> {
  const bytes = dump({
    connection,
    blobs: fileStore(folder),
    program: 'test',
    selectFiles,
    signal: new AbortController().signal,
    onProgress() {},
    onDone() {},
  });
  const file = join(folder, 'backup.tar.gz');
  writeFileSync(file, gzipSync(await buffer(Readable.from(bytes))));
  return file;
}

test('a file that the store has is never replaced or removed, and must be that of the backup', async () => {
  const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const store = mkdtempSync(join(folder, 'store-'));
  const kept = fileStore(store);
  const put = (blobs: BlobStore, text: string) => blobs.put('DE-ABC/kept', Readable.from([text]));
  const read = async () => text(await kept.get('DE-ABC/kept'));
  try {
    await migrate(source.owner, { serviceRole: source.connection.user });
    await put(fileStore(folder), 'bytes');
    const file = await backUp(source.owner, `select 'DE-ABC/kept' as key, 5 as size`);
    const env = { ...target.env, BLOB_URL: `file://${store}` };
    await put(kept, 'other');
    const refused = await runCommand(['restore', file], { env });
    expect([refused.code, await read()]).toEqual([1, 'other']);
    expect(refused.stderr).toMatch(/another file under the key DE-ABC\/kept .*\n$/);
    await put(kept, 'bytes');
    const damaged = join(folder, 'damaged.tar.gz');
    writeFileSync(damaged, gzipSync(gunzipSync(readFileSync(file)).subarray(0, -2_048)));
    expect(await runCommand(['restore', damaged], { env })).toMatchObject({ code: 1 });
    expect(await read()).toBe('bytes');
    expect(await runCommand(['restore', file], { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await read()).toBe('bytes');
  } finally {
    await source.drop();
    await target.drop();
  }
});

test('an archive is what tar reads and writes', async () => {
  const bodies = new Map([
    ['empty', Buffer.alloc(0)],
    ['files/a', Buffer.from('short')],
    ['files/b', Buffer.alloc(1_024, 7)],
    ['files/c', Buffer.alloc(100_001, 9)],
  ]);
  const parts: Buffer[] = [];
  for (const [name, body] of bodies)
    for await (const part of tarEntry(name, body.length, [body])) parts.push(part);
  const file = join(folder, 'test.tar');
  writeFileSync(file, Buffer.concat([...parts, tarEnd()]));
  const read = (name: string) => execFileSync('tar', ['xOf', file, name]);
  for (const [name, body] of bodies) expect(read(name).equals(body)).toBe(true);

  execFileSync('tar', ['xf', file, '-C', folder]);
  const made = execFileSync('tar', ['c', '--format=ustar', '-C', folder, ...bodies.keys()]);
  const found = new Map<string, Buffer>();
  for await (const { name, body } of readTar(
    Readable.from([made.subarray(0, 700), made.subarray(700)]),
  ))
    found.set(name, await buffer(body));
  expect(found).toEqual(bodies);
});

test('an entry that has fewer or more bytes than it should fails the archive', async () => {
  for (const body of ['few', 'too many']) {
    const written = buffer(Readable.from(tarEntry('name', 5, [Buffer.from(body)])));
    await expect(written).rejects.toThrow('name has other than the 5 bytes');
  }
});

test.each([
  ['a table with another name', { name: 'status_history; drop table users' }],
  ['months without end', { name: 'status_history', months: ['0001-01', '9999-12'] }],
  ['months that are none', { name: 'status_history', months: ['2026', '2027'] }],
  ['a text of megabytes', { name: 'x'.repeat(2_000_000) }],
  ['a table without columns', { name: 'users', columns: null }],
])('a header that has %s is refused before any statement', async (_what, table) => {
  await expect(headerOf({ tables: [{ columns: [], ...table }] })).rejects.toThrow(/its header/);
});

test.each([
  ['no tables', { tables: null }],
  ['a time that commands the terminal', { createdAt: '\u001b[2J' }],
  ['a key with a line of its own', { secretKeys: ['a\nRestored everything.'] }],
])('a header that has %s is refused before any of it is shown', async (_what, changed) => {
  await expect(headerOf(changed)).rejects.toThrow(/^its header\.json is wrong at "[/\w]+"$/);
});

test('the program of a newer format is refused like that of this one', async () => {
  const newer = { formatVersion: formatVersion + 1 };
  await expect(headerOf(newer)).rejects.toThrow('made by Motorpool 1, in a newer format');
  for (const program of ['1\nRestored everything.', { toString: 1 }, 'x'.repeat(1_000)])
    await expect(headerOf({ ...newer, program })).rejects.toThrow(
      'its header.json is wrong at "/program"',
    );
});

test('the name of an unknown entry is quoted without its lines', async () => {
  const reader = readerOf({ 'header.json': headerText(), 'x\nRestored everything.': '' });
  await reader.header();
  await expect(reader.manifest()).rejects.toThrow(
    'it has the unknown entry "x\\nRestored everything."',
  );
});

test('a restore that fails quotes the file on one line', async () => {
  const file = join(folder, 'no-json.tar.gz');
  const text = Buffer.from('x\nmotorpool: Restored.');
  const entry = await buffer(tarEntry('header.json', text.length, [text]));
  writeFileSync(file, gzipSync(Buffer.concat([entry, tarEnd()])));
  const { code, stderr } = await runCommand(['restore', file], { env: { DATA_DIR: folder } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^motorpool: .* is damaged or no backup, .*\n$/);
});

test('a manifest or a header with a name that is none is refused', async () => {
  const part = { count: 0, bytes: 0, sha256: '' };
  const tables = { 'x\nRestored everything.': part };
  const manifest = { tables, files: part, missingFiles: 0, differingFiles: 0 };
  const texts = { 'header.json': headerText(), 'manifest.json': JSON.stringify(manifest) };
  const reader = readerOf(texts);
  await reader.header();
  await expect(reader.manifest()).rejects.toThrow(/^its manifest\.json is wrong at ".*"$/);
  await expect(headerOf({ sequences: { 'x\ny': '1' } })).rejects.toThrow(
    /^its header\.json is wrong/,
  );
});

function headerText(changed: object = {}): string {
  return JSON.stringify({
    ...{ format: formatName, formatVersion, createdAt: '2026-01-01T00:00:00.000Z', program: '1' },
    ...{ postgres: '18.4', schemaVersion: 1, tables: [], sequences: {}, secretKeys: [] },
    ...changed,
  });
}

function readerOf(texts: Record<string, string>): BackupReader {
  async function* bytes() {
    for (const [name, text] of Object.entries(texts)) {
      const body = Buffer.from(text);
      yield* tarEntry(name, body.length, [body]);
    }
    yield tarEnd();
  }
  return new BackupReader(bytes());
}

async function headerOf(changed: object) {
  return readerOf({ 'header.json': headerText(changed) }).header();
}

test('a header as it is written is read', async () => {
  expect(await headerOf({})).toMatchObject({ schemaVersion: 1 });
});
