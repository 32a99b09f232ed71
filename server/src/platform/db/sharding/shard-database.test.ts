import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testSecrets } from '../../../testing/global-setup.ts';
import { runCommand } from '../../../testing/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import { openDatabase } from '../database.ts';
import { migrate, newestSchemaVersion, withSchemaLock } from '../migrate.ts';
import { shardDatabase } from './shard-database.ts';

/** On a cluster that TEST_CITUS_URL names, where the databases of tests are sharded already. */
describe.skipIf(inject('postgres').workers.length === 0)('a sharded database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const query = <Row extends object>(text: string) =>
    withSchemaLock(database.owner, async (client) => (await client.query<Row>(text)).rows);

  test('has every table of providers on the workers, all of them co-located', async () => {
    const rows = await query<{ name: string; colocation: number | null }>(`
      select c.relname as name, d.colocationid as colocation from pg_class c
      join pg_attribute a on a.attrelid = c.oid
        and a.attname = case when c.relname = 'providers' then 'id' else 'provider' end
      left join pg_dist_partition d on d.logicalrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
    expect(rows.length).toBeGreaterThan(40);
    expect(new Set(rows.map(({ colocation }) => colocation)).size).toBe(1);
    expect(rows[0]?.colocation).toEqual(expect.any(Number));
  });

  test('stays as it is when it is sharded again', async () => {
    const again = await withSchemaLock(database.owner, (client) =>
      shardDatabase(client, { shardCount: 2 }),
    );
    expect(again).toBe(0);
    expect(await query(`select from pg_class where relname = 'set_aside'`)).toEqual([]);
  });

  test('an interrupted run is completed by the next: keys and triggers are all there', async () => {
    const count = `select (select count(*) from pg_constraint where contype = 'f') as keys,
      (select count(*) from pg_trigger where not tgisinternal) as triggers`;
    const before = await query(count);
    await query(`create table set_aside as select 'x' as drops, array[
      'alter table users drop constraint users_provider_fkey',
      'alter table users add constraint users_provider_fkey foreign key (provider) references providers (id)'
    ] as creates, 1 as rank`);
    await withSchemaLock(database.owner, (client) => shardDatabase(client, { shardCount: 2 }));
    expect(await query(count)).toEqual(before);
    expect(await query(`select from pg_class where relname = 'set_aside'`)).toEqual([]);
  });

  test('a later migration distributes the table that it creates', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'motorpool-migrations-'));
    const version = (await newestSchemaVersion()) + 1;
    await writeFile(
      join(folder, `${version}.do.expand-notes.sql`),
      `create table notes (provider text collate "C" not null, id uuid not null, constraint notes_pkey primary key (provider, id));
       select distribute_table('notes');
       alter table notes add constraint notes_provider_fkey foreign key (provider) references providers (id);`,
    );
    await migrate(database.owner, { folder: `${folder}/` });
    await rm(folder, { recursive: true });
    expect(
      await query(`select from pg_dist_partition where logicalrelid = 'notes'::regclass`),
    ).toHaveLength(1);
  });

  test.each([
    ['', {}],
    [', also behind a pooler', { behindPooler: {} }],
  ])('the worker records who has changed something%s', async (_, between) => {
    const db = openDatabase(
      { ...database.connection, ...between },
      { poolSize: 1, statementTimeoutMs: 60_000, secrets: testSecrets, isSharded: true },
    );
    const acting = db.actingAs({ kind: 'command', operation: 'rename' });
    const rename = (name: string) => `update providers set name = '${name}' where id = 'DE-ABC'`;
    await acting.query(rename('One'));
    await acting.transaction((tx) => tx.queryUnprepared(rename('Two')));
    await acting.transaction((tx) => tx.rawQuery(rename('Three')));
    const events = await db.query<{ operation: string | null }>(
      `select actor ->> 'operation' as operation from audit_events
       where provider = 'DE-ABC' and type = 'provider' order by occurred_at desc, id desc limit 3`,
    );
    await db.close();
    expect(events.map(({ operation }) => operation)).toEqual(['rename', 'rename', 'rename']);
  });

  test('motorpool shard says that there is nothing to do', async () => {
    const { stdout } = await runCommand(['shard'], { env: database.env });
    expect(stdout).toContain('distributed already');
  });
});
