import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { grantPrivileges } from './grants.ts';

let database: TestDatabase;
let owner: pg.Client;
let service: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  [owner, service] = [new pg.Client(database.owner), new pg.Client(database.connection)];
  await owner.connect();
  await service.connect();
});
afterAll(async () => {
  await owner.end();
  await service.end();
  await database.drop();
});

const serviceRole = () => String(database.connection.user);
const denied = { code: '42501' };

describe('the role of the service', () => {
  test('is restricted, and so is that of the owner', async () => {
    for (const client of [owner, service]) {
      const { rows } = await client.query(
        `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles
         where rolname = current_user`,
      );
      expect(Object.values(rows[0])).toEqual([false, false, false, false, false]);
    }
  });

  test.each([
    'create table mine (id int)',
    'create schema mine',
    'create function mine() returns int language sql as $$select 1$$',
    'create extension hstore',
    'alter table vehicles add column mine text',
    'alter table vehicles disable trigger all',
    'drop table vehicles',
    'truncate incidents',
    'create index on vehicles (vin)',
    'create table pgboss.mine (id int)',
    'alter table pgboss.job add column mine text',
    `insert into schema_migrations (version, name, md5) values (9999, 'mine', '')`,
    `update audit_events set type = 'mine'`,
    'delete from audit_events',
    'truncate audit_events',
    'delete from audit_seals',
    'update audit_seals set number = 0',
    `update audited_tables set condition = 'false'`,
    `update event_sources set visible = 'false'`,
    'select * from pg_authid',
    `select pg_read_file('postgresql.conf')`,
    `copy vehicles to program 'true'`,
    'alter role current_user superuser',
  ])('may not %s', async (statement) => {
    await expect(service.query(statement)).rejects.toMatchObject(denied);
  });

  test('reads and writes rows of every table, also of the queue', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
         and not relispartition
         and relname not in ('schema_migrations', 'audited_tables', 'event_sources', 'audit_events', 'audit_seals')`,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { name } of rows) {
      await service.query(`select from ${name} limit 1`);
      await service.query(`delete from ${name} where false`);
    }
  });
});

describe('an append-only table', () => {
  const grant = () => grantPrivileges(owner, serviceRole(), ['trail']);
  beforeAll(async () => {
    await owner.query('create table trail (day date, entry text) partition by range (day)');
    await owner.query(
      `create table trail_2026 partition of trail for values from ('2026-01-01') to ('2027-01-01')`,
    );
    // As if it had been an ordinary table before, and somebody had been generous.
    await grantPrivileges(owner, serviceRole(), []);
    await owner.query('grant delete, truncate on trail to public');
    await grant();
    await owner.query(
      `create table trail_2027 partition of trail for values from ('2027-01-01') to ('2028-01-01')`,
    );
  });

  test('is read and extended, in every partition', async () => {
    await service.query(`insert into trail values ('2026-05-01', 'a'), ('2027-05-01', 'b')`);
    expect((await service.query('select entry from trail order by 1')).rows).toHaveLength(2);
  });

  test.each(['trail', 'trail_2026', 'trail_2027'])('is not changed through %s', async (table) => {
    for (const statement of [
      `update ${table} set entry = 'c'`,
      `delete from ${table}`,
      `truncate ${table}`,
      `drop table ${table}`,
      `select from ${table} for update`,
    ])
      await expect(service.query(statement), statement).rejects.toMatchObject(denied);
  });

  test('stays so after the next migration, which then changes no grant', async () => {
    await grant();
    const statements: string[] = [];
    const counted = Object.create(owner, {
      query: {
        value: (text: string, values?: unknown[]) => {
          statements.push(text);
          return owner.query(text, values);
        },
      },
    }) as pg.Client;
    await grantPrivileges(counted, serviceRole(), ['trail']);
    expect(statements.filter((text) => /^(grant|revoke)/.test(text))).toEqual([]);
  });
});
