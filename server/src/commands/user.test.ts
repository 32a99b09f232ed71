import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticateUser } from '../auth/users.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { runCommand } from '../testing/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const add = (args: string[], input: string) =>
  runCommand(['user', 'add', ...args], {
    env: database.env,
    input,
  });
const users = () =>
  db.query<{ username: string }>('select username from users order by 1, provider');

test.each([
  ['a password of eleven characters', ['DE', 'ABC', 'bob'], '12345678901\n', /at least 12 char/],
  ['a common password', ['DE', 'ABC', 'bob'], 'password1234\n', /too easy to guess/],
  ['no password', ['DE', 'ABC', 'bob'], '', /No password came on standard input/],
  ['a name that is taken', ['DE', 'ABC', 'DEMO'], 'long enough word\n', /exists already/],
  ['an unknown provider', ['DE', 'ZZZ', 'bob'], 'long enough word\n', /no asset provider DE-ZZZ/],
])('%s is refused with one sentence', async (_what, args, input, fault) => {
  const before = await users();
  const { code, stdout, stderr } = await add(args, input);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^motorpool: [^\n]*\n$/);
  expect(stderr).toMatch(fault);
  expect(await users()).toEqual(before);
});

test('a password is no argument, and is not repeated', async () => {
  for (const args of [
    ['DE', 'ABC', 'bob', 'long enough word'],
    ['DE', 'ABC', 'bob', '--password', 'long enough word'],
  ]) {
    const { code, stdout, stderr } = await add(args, 'another long word\n');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain('long enough word');
  }
  expect(await users()).not.toContainEqual({ username: 'bob' });
});

test('the password is the first line, whatever its end and its characters', async () => {
  for (const [username, input, password] of [
    ['windows', 'zwölf Zeichen 🚗\r\n', 'zwölf Zeichen 🚗'],
    ['further', '  the first of two \nthe second', '  the first of two '],
  ] as const) {
    const { code } = await add(['DE', 'ABC', username], input);
    expect(code).toBe(0);
    expect(await authenticateUser(db, 'DE-ABC', username, password, false)).toMatchObject({
      username,
    });
  }
  const stored = await db.query<{ row: string }>('select u::text as row from users u');
  for (const { row } of stored) expect(row).not.toContain('the first of two');
});
