import { generateKeyPairSync, scryptSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { hashPassword, matchesPassword, setHashingCostForTests } from './password-hash.ts';
import { addUser, authenticateUser } from './users.ts';

let database: TestDatabase;
beforeAll(async () => {
  setHashingCostForTests();
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const password = 'correct horse battery';

/** As another release stored it. */
function hashWith(parameters: string, cost: { N: number; r: number; p: number }): string {
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync(password, salt, 32, { ...cost, maxmem: 64 * 1024 * 1024 });
  return `scrypt:${salt.toString('base64url')}:${hash.toString('base64url')}${parameters}`;
}

test('a hash says its parameters, and matches its password alone', async () => {
  const hash = await hashPassword('DE-ABC', password);
  expect(hash).toMatch(/^scrypt:[\w-]{22}:[\w-]{43}:N=16384,r=8,p=5$/);
  expect(await matchesPassword('DE-ABC', hash, password)).toBe(true);
  expect(await matchesPassword('DE-ABC', hash, `${password} `)).toBe(false);
  expect(await matchesPassword('DE-ABC', undefined, password)).toBe(false);
  expect(await matchesPassword('DE-ABC', hash, password.repeat(20))).toBe(false);
});

test('a hash without parameters is one of the first release', async () => {
  const hash = hashWith('', { N: 2 ** 14, r: 8, p: 5 });
  expect(await matchesPassword('DE-ABC', hash, password)).toBe(true);
});

test('a hash with other parameters is replaced when the user signs in', async () => {
  const db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
  try {
    await addUser(db, 'DE-ABC', 'ada', password);
    const store = (hash: string) =>
      db.query("update users set password_hash = $1 where username = 'ada'", [hash]);
    const stored = async () =>
      (
        await db.query<{ hash: string }>(
          "select password_hash as hash from users where username = 'ada'",
        )
      )[0]?.hash;
    const old = hashWith(':N=4096,r=8,p=1', { N: 2 ** 12, r: 8, p: 1 });
    await store(old);
    expect(await authenticateUser(db, 'DE-ABC', 'ada', 'a guess', false)).toBeUndefined();
    expect(await stored()).toBe(old);
    expect(await authenticateUser(db, 'DE-ABC', 'ada', password, false)).toMatchObject({
      username: 'ada',
    });
    const renewed = await stored();
    expect(renewed).toMatch(/:N=16384,r=8,p=5$/);
    expect(await authenticateUser(db, 'DE-ABC', 'ada', password, false)).toMatchObject({
      username: 'ada',
    });
    expect(await stored()).toBe(renewed);
  } finally {
    await db.close();
  }
});

test('while many passwords wait to be hashed, a token is signed', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const done: string[] = [];
  const hashes = Array.from({ length: 12 }, async () => {
    await hashPassword('DE-ABC', password);
    done.push('hashed');
  });
  await promisify(sign)('sha256', Buffer.from('a token'), privateKey);
  done.push('signed');
  await Promise.all(hashes);
  // Of libuv's queue it would be the thirteenth, of which four run at a time.
  expect(done.indexOf('signed')).toBeLessThan(8);
});

test('asset providers take turns, however many passwords of one wait', async () => {
  const done: string[] = [];
  const hash = async (provider: string) => {
    await hashPassword(provider, password);
    done.push(provider);
  };
  const flood = Array.from({ length: 12 }, () => hash('DE-ABC'));
  await Promise.all([...flood, hash('FR-XYZ')]);
  // Two may run at a time, of which either may end first.
  expect(done.indexOf('FR-XYZ')).toBeLessThan(6);
});
