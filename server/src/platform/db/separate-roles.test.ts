import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { testSecretKeys } from '../../testing/global-setup.ts';
import { createSandbox } from '../../testing/sandbox.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  urlOf,
} from '../../testing/test-database.ts';
import { type ConfiguredDatabase, openConfiguredDatabase } from './open-database.ts';

let database: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  [database, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await empty.drop();
});

function open(service: pg.ClientConfig, owner?: pg.ClientConfig): Promise<ConfiguredDatabase> {
  return openConfiguredDatabase(
    {
      databaseUrl: urlOf(service),
      ownerUrl: owner && urlOf(owner),
      dataDir: '/nowhere',
      secretKeys: testSecretKeys,
      poolSize: 1,
      statementTimeoutMs: 10_000,
    },
    'command',
  );
}

const roleOf = async (db: Pick<ConfiguredDatabase, 'query'>) =>
  (await db.query<{ role: string }>('select current_user as role'))[0]?.role;

test('with both addresses the owner migrates an empty database, and the service reads and writes', async () => {
  const db = await open(empty.connection, empty.owner);
  try {
    expect(db.migrationsApplied).toBeGreaterThan(0);
    expect(db.hasSeparateRoles).toBe(true);
    expect(await roleOf(db)).toBe(empty.connection.user);
    expect(await roleOf(db.owner)).toBe(empty.owner.user);
    await db.query(`insert into providers (id, name) values ('DE-ABC', 'A')`);
    await expect(db.query('create table mine (id int)')).rejects.toThrow('permission denied');
  } finally {
    await db.close();
  }
});

test('with one address its role does both, and that is known', async () => {
  const db = await open(database.owner);
  try {
    expect(db.hasSeparateRoles).toBe(false);
    expect(await roleOf(db.owner)).toBe(database.owner.user);
    await db.owner.query('create table theirs (id int)');
  } finally {
    await db.close();
  }
});

test('the service logs once at its start that one role does both, and nothing where there are two', async () => {
  const sandbox = createSandbox();
  const single = { ...database.env, DATABASE_URL: urlOf(database.owner), DATABASE_OWNER_URL: '' };
  try {
    for (const [env, times] of [
      [single, 1],
      [database.env, 0],
    ] as const) {
      const running = await sandbox.start(['serve'], { env });
      running.kill();
      const { stdout } = await running.ended;
      expect(stdout.split('DATABASE_OWNER_URL is not set')).toHaveLength(times + 1);
    }
  } finally {
    await sandbox.close();
  }
});

test('two databases are refused', async () => {
  await expect(open(database.connection, empty.owner)).rejects.toThrow(
    /^DATABASE_OWNER_URL: names another database than DATABASE_URL\.$/,
  );
});

test('one role for both is refused', async () => {
  await expect(open(database.owner, database.owner)).rejects.toThrow(
    `DATABASE_OWNER_URL: has the role ${database.owner.user} of DATABASE_URL: use two roles, or leave it empty.`,
  );
});

test('a superuser for the service is refused', async () => {
  const { superuser } = inject('postgres');
  const service = { ...superuser, database: database.connection.database };
  await expect(open(service, database.owner)).rejects.toThrow(
    /^DATABASE_URL: its role \w+ is a superuser, which no grant restricts: use another one\.$/,
  );
});

test('a role that may act as the owner is refused for the service', async () => {
  const client = new pg.Client(inject('postgres').superuser);
  await client.connect();
  const member = `${database.connection.user}_member`;
  try {
    await client.query(`create role ${member} login password 'x' in role ${database.owner.user}`);
    const service = { ...database.connection, user: member, password: 'x' };
    await expect(open(service, database.owner)).rejects.toThrow(
      `DATABASE_URL: its role ${member} is a member of ${database.owner.user}, the role of DATABASE_OWNER_URL: revoke that.`,
    );
  } finally {
    await client.query(`drop role ${member}`);
    await client.end();
  }
});

test('a role that owns nothing is told whose tables they are', async () => {
  await expect(open(database.connection)).rejects.toThrow(
    `The tables of the database belong to the role ${database.owner.user}, and ${database.connection.user} is to migrate them: ` +
      `set DATABASE_OWNER_URL to the address with ${database.owner.user}, or give them to ${database.connection.user}`,
  );
});

test('a role that may not create anything is told so, without its password', async () => {
  const fresh = await createEmptyDatabase();
  try {
    const failure = await open(fresh.connection).catch((error: Error) => error.message);
    expect(failure).toMatch(
      /^DATABASE_URL: its role may not migrate the database \(.+\): make it /,
    );
    expect(failure).not.toContain(fresh.connection.password);
  } finally {
    await fresh.drop();
  }
});

test('an owner without its database is told in one sentence', async () => {
  const owner = { ...database.owner, password: 'guessed-wrong', user: 'nobody-known' };
  await expect(open(database.connection, owner)).rejects.toThrow(
    /^DATABASE_OWNER_URL: the database cannot be used \(.*nobody-known.*\)\.$/,
  );
});
