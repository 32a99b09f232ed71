import type pg from 'pg';
import type { DumpedTable } from './format.ts';

/** Tables that are no part of a backup. Those that are unlogged are not, either. */
export const leftOutTables: Record<string, string> = {
  schema_migrations: 'written by migrations',
  audited_tables: 'written by migrations',
  event_sources: 'written by migrations',
  mqtt_sessions: 'leases of running processes',
};

/** Not a table: the waiting jobs, whatever the schema of the queue. */
export const jobsPart = {
  name: 'jobs',
  columns: ['name', 'payload'],
  // Those that have failed for good are tried again.
  select: `select coalesce(source_name, name), coalesce(data, '{}') from pgboss.job where state < 'completed'`,
};

export type BackupTable = DumpedTable & { bytes: number };

/** All tables of the schema that are backed up. */
export async function listTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { first: string | null; last: string | null }>(
    selectTables,
    [Object.keys(leftOutTables)],
  );
  return rows.map(({ name, columns, bytes, first, last }) => ({
    name,
    columns,
    bytes: Number(bytes),
    ...(first !== null && last !== null && { months: [first, last] as [string, string] }),
  }));
}

const selectTables = `
  select c.relname as name,
    (select json_agg(a.attname order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select sum(pg_table_size(t.relid)) from pg_partition_tree(c.oid) t) as bytes, first, last
  from pg_class c
  left join lateral (
    select min(month) as first, max(month) as last
    from pg_inherits i join pg_class p on p.oid = i.inhrelid,
      lateral (select replace(substring(p.relname from '\\d{4}_\\d{2}$'), '_', '-')) m(month)
    where i.inhparent = c.oid
  ) months on c.relkind = 'p'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname <> all($1)
  order by c.relname`;

/** The name of a table that has a row, if one does. */
export async function findRow(
  client: pg.Client,
  tables: readonly DumpedTable[],
): Promise<string | undefined> {
  for (const { name } of tables) {
    const table = client.escapeIdentifier(name);
    const { rows } = await client.query(`select 1 from ${table} limit 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/** A backup or a restore takes as long as it takes. For the current transaction. */
export const withoutTimeouts = `
  select set_config(name, '0', true) from pg_settings where name in (
    'statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`;
