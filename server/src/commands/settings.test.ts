import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listSettings } from '../config.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase, urlOf } from '../testing/test-database.ts';

let sandbox: Sandbox;
let unresponsive: Server;
beforeAll(async () => {
  sandbox = createSandbox();
  // Accepts every connection, and never responds.
  unresponsive = createServer(() => {});
  await new Promise<void>((listening) => unresponsive.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  unresponsive.close();
  await sandbox.close();
});

test('the help of serve lists all settings', async () => {
  const { code, stdout } = await runCommand(['serve', '--help']);
  expect(code).toBe(0);
  for (const { name } of listSettings()) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  expect(stdout).not.toMatch(/\]\(|`/);
});

test.each([
  ['PORT', 'abc', 'must be a whole number from 0 to 65535, not "abc".'],
  [
    'LOG_LEVEL',
    'loud',
    'must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
  ],
  [
    'PUBLIC_URL',
    'foo',
    'must be an address such as https://fleet.example.com, without a path, not "foo".',
  ],
  [
    'AUTH_ISSUER',
    'https://id.example.com',
    'must be an address with {realm} in it once, not "https://id.example.com".',
  ],
  [
    'SECRETS_KEY',
    'hidden',
    'must be keys of 32 bytes in base64 or hexadecimal, such as "openssl rand -base64 32" prints.',
  ],
  [
    'DATABASE_OWNER_URL',
    'postgres://fleet:hidden@localhost/motorpool',
    'needs DATABASE_URL, which is the service’s role.',
  ],
  [
    'AUTH_ISSUER',
    'http://id.example.com/realms/{realm}',
    'must be https, or http to this machine, not "http://id.example.com/realms/{realm}".',
  ],
])('%s=%s stops the start with one sentence', async (name, value, fault) => {
  const dataDir = sandbox.dataDir();
  const ended = await runCommand(['serve'], { env: { DATA_DIR: dataDir, [name]: value } });
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: `motorpool: ${name}: ${fault}\n` });
  expect(existsSync(dataDir)).toBe(false);
});

test('AUTH_ISSUER without AUTH_AUDIENCE stops the start with one sentence', async () => {
  const dataDir = sandbox.dataDir();
  const env = { DATA_DIR: dataDir, AUTH_ISSUER: 'https://id.example.com/realms/{realm}' };
  expect(await runCommand(['serve'], { env })).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'motorpool: AUTH_AUDIENCE: must say who the tokens of AUTH_ISSUER are for, such as fleet-interface.\n',
  });
  expect(existsSync(dataDir)).toBe(false);
});

test.concurrent.each([
  ['nobody listens', () => 'postgres://fleet:hidden@127.0.0.1:1/motorpool'],
  ['nobody listens on any of its addresses', () => 'postgres://fleet:hidden@localhost:1/motorpool'],
  ['nobody speaks', () => `postgres://fleet:hidden@127.0.0.1:${portOf(unresponsive)}/motorpool`],
  ['there is no such machine', () => 'postgres://fleet:hidden@db.invalid/motorpool'],
])('a DATABASE_URL where %s is told in one sentence without its password', async (_what, url) => {
  const ended = await sandbox.run(['migrate'], { env: { DATABASE_URL: url() } });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(
    /^motorpool: DATABASE_URL: the database does not answer \([^)]{8,}\)\.\n$/,
  );
  expect(ended.stderr).not.toContain('hidden');
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('a DATABASE_URL that refuses the login, or has no such database, is told in one sentence', async () => {
  const database = await createTestDatabase();
  try {
    for (const [connection, fault] of [
      // Not only a wrong password: a server that trusts everyone does not ask for one.
      [{ ...database.connection, user: 'nobody-known', password: 'guessed-wrong' }, 'nobody-known'],
      [{ ...database.connection, database: 'nowhere' }, 'database "nowhere" does not exist'],
    ] as const) {
      const ended = await runCommand(['migrate'], { env: { DATABASE_URL: urlOf(connection) } });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(
        /^motorpool: DATABASE_URL: the database cannot be used \(.*\)\.\n$/,
      );
      expect(ended.stderr).toContain(fault);
      if (connection.password) expect(ended.stderr).not.toContain(String(connection.password));
    }
  } finally {
    await database.drop();
  }
});

test('a database with a newer schema is left alone', async () => {
  const database = await createTestDatabase();
  try {
    const client = new pg.Client(database.owner);
    await client.connect();
    await client.query(
      `insert into schema_migrations (version, name, md5) values (9999, 'later', 'x')`,
    );
    const ended = await sandbox.run(['serve'], {
      env: database.env,
    });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^motorpool: The database has schema version 9999, and this program knows \d+: run the newer Motorpool\.\n$/,
    );
    const { rows } = await client.query('select max(version) as version from schema_migrations');
    expect(rows).toEqual([{ version: '9999' }]);
    await client.end();
  } finally {
    await database.drop();
  }
});
