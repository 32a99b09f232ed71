import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../testing/test-database.ts';
import { UserError } from '../user-error.ts';
import { migrate, migrationsFolder } from './migrate.ts';

/** Migrations of a release to come, on the database of this one. */
let database: TestDatabase;
let client: pg.Client;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  client = await connect();
  folder = `${mkdtempSync(join(tmpdir(), 'motorpool-migrations-'))}/`;
  for (const name of readdirSync(migrationsFolder)) {
    if (name.endsWith('.sql'))
      writeFileSync(join(folder, name), readFileSync(join(migrationsFolder, name)));
  }
});
afterEach(async () => {
  for (const one of clients.splice(0)) await one.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const clients: pg.Client[] = [];
async function connect(connection = database.owner): Promise<pg.Client> {
  const one = new pg.Client(connection);
  await one.connect();
  clients.push(one);
  return one;
}

const versionsIn = (path: string) =>
  readdirSync(path)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => Number.parseInt(name, 10));
const released = versionsIn(migrationsFolder).length;
const newest = Math.max(...versionsIn(migrationsFolder));

function addFile(name: string, sql: string): void {
  const version = Math.max(...versionsIn(folder)) + 1;
  writeFileSync(join(folder, `${String(version).padStart(3, '0')}.do.${name}.sql`), sql);
}

async function versions(from = client): Promise<number[]> {
  const { rows } = await from.query('select version from schema_migrations order by version');
  return rows.map(({ version }) => Number(version));
}

const has = async (column: string) =>
  (await client.query('select from pg_attribute where attname = $1', [column])).rowCount === 1;

test('processes that start at once on an empty database apply every file once', async () => {
  const empty = await createEmptyDatabase();
  try {
    addFile('expand-index', '-- no-transaction\ncreate index concurrently on drivers (added_at)');
    const applied = await Promise.all(
      Array.from({ length: 4 }, () => migrate(empty.owner, { folder })),
    );
    expect(applied.sort()).toEqual([0, 0, 0, released + 1]);
    const observer = await connect(empty.owner);
    expect(await versions(observer)).toHaveLength(released + 2);
  } finally {
    await Promise.all(clients.splice(1).map((one) => one.end()));
    await empty.drop();
  }
});

test('a file is applied whole or not at all, and those before it stay', async () => {
  addFile('expand-fine', 'alter table vehicles add column fine text');
  addFile('expand-broken', 'alter table vehicles add column half text; select 1 / 0');
  await expect(migrate(database.owner, { folder })).rejects.toThrow('division by zero');
  expect(await has('fine')).toBe(true);
  expect(await has('half')).toBe(false);
  expect((await versions()).at(-1)).toBe(newest + 1);
});

test('a file that was edited after it was applied is refused', async () => {
  writeFileSync(join(folder, '001.do.baseline.sql'), 'select 1');
  const refused = migrate(database.owner, { folder });
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow('edited');
});

describe('a lock that another transaction holds', () => {
  beforeEach(async () => {
    addFile('expand-column', 'alter table vehicles add column later text');
    const holder = await connect();
    await holder.query('begin');
    await holder.query('select from vehicles');
    release = () => holder.query('commit');
  });
  let release: () => Promise<unknown>;

  test('is waited for in turns, between which everyone else works', async () => {
    const migrated = migrate(database.owner, { folder, lockTimeoutMs: 50, attempts: 1_000 });
    const waits = async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'motorpool migrate' and wait_event_type = 'Lock'`,
      );
      return rowCount;
    };
    await expect.poll(waits, { interval: 5 }).toBe(1);
    // Queued behind the migration, it would wait for the holder, which waits for this test.
    expect((await client.query('select from vehicles')).rowCount).toBe(0);
    await release();
    expect(await migrated).toBe(1);
    expect(await has('later')).toBe(true);
  });

  test('and never releases ends the attempt with a sentence', async () => {
    const migrated = migrate(database.owner, { folder, lockTimeoutMs: 10, attempts: 3 });
    await expect(migrated).rejects.toThrow(UserError);
    await expect(migrated).rejects.toThrow('(expand-column) needs a lock');
    expect(await has('later')).toBe(false);
    expect((await versions()).at(-1)).toBe(newest);
  });
});

describe('a file without a transaction', () => {
  const build = `-- no-transaction
    create index concurrently if not exists vehicles_by_vendor on vehicles (provider, vendor)`;
  const isValid = async () => {
    const { rows } = await client.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('vehicles_by_vendor')`,
    );
    return rows[0]?.valid;
  };

  test('builds its index again when a build was interrupted', async () => {
    addFile('expand-index', build);
    const holder = await connect();
    await holder.query('begin');
    await holder.query('insert into providers (id, name) values ($1, $1)', ['DE-NEW']);
    await holder.query(
      `insert into vehicles (provider, id, created_at, updated_at, item) values ('DE-NEW', 'DE*NEW*1', now(), now(), '')`,
    );
    const interrupted = migrate(database.owner, { folder });
    const rejected = expect(interrupted).rejects.toThrow();
    await expect.poll(isValid).toBe(false);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'motorpool migrate'`,
    );
    await rejected;
    await holder.query('commit');
    expect(await isValid()).toBe(false);

    expect(await migrate(database.owner, { folder })).toBe(1);
    expect(await isValid()).toBe(true);
  });

  test('that ran and was not recorded is recorded by the next start', async () => {
    await client.query('create index vehicles_by_vendor on vehicles (provider, vendor)');
    addFile('expand-index', build);
    expect(await migrate(database.owner, { folder })).toBe(1);
    expect((await versions()).at(-1)).toBe(newest + 1);
  });
});

describe('versions of program and schema', () => {
  test('a newer program migrates an older schema', async () => {
    addFile('expand-column', 'alter table vehicles add column later text');
    expect(await migrate(database.owner, { folder })).toBe(1);
    expect(await migrate(database.owner, { folder })).toBe(0);
    expect(await versions()).toHaveLength(released + 2);
  });

  test('an older program accepts a schema that was expanded since', async () => {
    addFile('expand-column', 'alter table vehicles add column later text');
    await migrate(database.owner, { folder });
    expect(await migrate(database.owner)).toBe(0);
    expect((await versions()).at(-1)).toBe(newest + 1);
  });

  test('and refuses one that was contracted since', async () => {
    addFile('expand-column', 'alter table vehicles add column later text');
    addFile('contract-column', 'alter table incidents drop column notes; select audit_tables()');
    addFile('expand-more', 'alter table vehicles add column more text');
    await migrate(database.owner, { folder });
    const refused = migrate(database.owner);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(
      `The database has schema version ${newest + 2}, and this program knows ${newest}: run the newer Motorpool.`,
    );
  });

  test('a schema from before the first release is refused, and left alone', async () => {
    const empty = await createEmptyDatabase();
    const prerelease = await connect(empty.owner);
    await prerelease.query('create table schema_version (version bigint)');
    const refused = migrate(empty.owner);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow('to an empty one');
    const { rows } = await prerelease.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([{ name: 'schema_version' }]);
    await clients.pop()?.end();
    await empty.drop();
  });
});

test('every file says what it does to the previous release, and those that expand take nothing from it', () => {
  const names = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
  const [baseline, ...others] = names.toSorted();
  expect(baseline).toBe('001.do.baseline.sql');
  const contracting =
    /\b(drop (table|column|function|view|default)|rename|set not null|alter column \w+ (set data )?type)\b/i;
  for (const name of others) {
    expect(name).toMatch(/^\d{3}\.do\.(expand|contract)-[a-z0-9-]+\.sql$/);
    if (name.includes('.contract-')) continue;
    expect(readFileSync(join(migrationsFolder, name), 'utf8'), name).not.toMatch(contracting);
  }
});
