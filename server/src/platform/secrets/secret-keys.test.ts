import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openSecretBox, parseSecretKeys } from './secret-keys.ts';

let database: TestDatabase;
let db: Database;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 4, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query('delete from secret_keys');
  folder = mkdtempSync(join(tmpdir(), 'motorpool-secrets-'));
  return () => rmSync(folder, { recursive: true });
});

const open = (dataDir = folder, text?: string) =>
  openSecretBox(db, {
    dataDir,
    secretKeys: text === undefined ? undefined : parseSecretKeys(text),
  });
const newKey = () => randomBytes(32).toString('base64');

test('without a key, the first start makes a file that its owner alone can read, and the next uses it', async () => {
  const dataDir = join(folder, 'not-there-yet');
  const { keyId } = await open(dataDir);
  expect(readdirSync(dataDir)).toEqual(['secrets.key']);
  expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
  expect((await open(dataDir)).keyId).toBe(keyId);
});

test('processes that start at once on one folder have one key', async () => {
  const boxes = await Promise.all(Array.from({ length: 4 }, () => open()));
  expect(new Set(boxes.map(({ keyId }) => keyId)).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['secrets.key']);
});

test('of two machines that start at once without a key, one is told to set it', async () => {
  const started = await Promise.allSettled([open(join(folder, 'a')), open(join(folder, 'b'))]);
  const [refused] = started.filter((one) => one.status === 'rejected');
  expect(started.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  expect(refused?.reason.message).toMatch(
    /^The secrets of the database are sealed under the key \w{16}, which .*secrets\.key does not have: set SECRETS_KEY /,
  );
  expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))].sort()).toEqual([
    false,
    true,
  ]);
});

test('another SECRETS_KEY than that of the database is refused', async () => {
  await open(folder, newKey());
  await expect(open(folder, newKey())).rejects.toThrow('which SECRETS_KEY does not have');
});

test('a new key is taken together with the old one', async () => {
  const [old, next] = [newKey(), newKey()];
  const before = await open(folder, old);
  const both = await open(folder, `${next},${old}`);
  expect(both.keyId).not.toBe(before.keyId);
  expect(both.hasKey(before.keyId)).toBe(true);
  await expect(open(folder, next)).rejects.toThrow(before.keyId);
});

test('a file that others can read, or that has no key, is refused', async () => {
  await open();
  const file = join(folder, 'secrets.key');
  for (const mode of [0o640, 0o604]) {
    chmodSync(file, mode);
    await expect(open()).rejects.toThrow(
      `${file} can be read by others: keep it to its owner (chmod 600 ${file}).`,
    );
  }
  chmodSync(file, 0o600);
  writeFileSync(file, 'nonsense');
  await expect(open()).rejects.toThrow(`${file}: must be keys of 32 bytes`);
});
