import type pg from 'pg';
import { UserError } from '../../user-error.ts';
import { restoreSetAside, setAside } from './set-aside.ts';

type ShardOptions = {
  /** How many parts there are of every table: the most workers that they can be spread over. */
  shardCount: number;
  onProgress?(done: number, total: number): void;
};

/** Whether the tables are distributed over the workers of Citus. */
export async function isSharded(
  query: (text: string) => Promise<{ rows: unknown[] }>,
): Promise<boolean> {
  const citus = await query(`select from pg_extension where extname = 'citus'`);
  if (citus.rows.length === 0) return false;
  const distributed = await query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.providers')`,
  );
  return distributed.rows.length > 0;
}

/**
 * Distributes every table with a provider by it, so that the rows of a provider are on one worker
 * (docs/decisions/0070-a-sharded-database.md). An interrupted run is completed by the next. Returns the number of tables
 * that it has distributed.
 */
export async function shardDatabase(
  client: pg.Client,
  { shardCount, onProgress }: ShardOptions,
): Promise<number> {
  await requireCluster(client);
  // Tables are created by one connection to each worker, which sees what its transaction has done before.
  await client.query(`set citus.multi_shard_modify_mode = 'sequential'`);
  await client.query(`set citus.shard_count = ${shardCount}`);
  await client.query('set client_min_messages = warning');
  const tables = await localTables(client);
  if (tables.length > 0) await setAside(client);
  for (const [done, { name, column }] of tables.entries()) {
    onProgress?.(done, tables.length);
    await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
      name,
      column,
      name === 'providers' ? 'none' : 'providers',
    ]);
    await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
  }
  await restoreSetAside(client);
  await distributeFunctions(client);
  onProgress?.(tables.length, tables.length);
  return tables.length;
}

async function requireCluster(client: pg.Client): Promise<void> {
  const { rows: extension } = await client.query(
    `select from pg_extension where extname = 'citus'`,
  );
  if (extension.length === 0) {
    throw new UserError(
      'The database has no Citus: connect to a coordinator, and run “create extension citus” there and on its workers.',
    );
  }
  const { rows: workers } = await client.query(
    `select from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`,
  );
  if (workers.length === 0)
    throw new UserError(
      'The coordinator knows no worker: add them with “select citus_add_node(…)”.',
    );
  const { rows: refusing } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from run_command_on_all_nodes('show citus.enable_unsafe_triggers')
     join pg_dist_node using (nodeid) where result <> 'on'`,
  );
  const [first] = refusing;
  if (first) {
    throw new UserError(
      `The node ${first.node} allows no triggers on distributed tables: set citus.enable_unsafe_triggers = on in its ` +
        'postgresql.conf, and reload it.',
    );
  }
}

type Table = { name: string; column: string };

/** Tables of providers that are not distributed, the providers first. */
async function localTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, a.attname as column from pg_class c
    join pg_attribute a on a.attrelid = c.oid
      and a.attname = case when c.relname = 'providers' then 'id' else 'provider' end
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
    order by c.relname <> 'providers', c.relname`);
  return rows;
}

/** Those that triggers and statements on workers call; not those of tables that stay on the coordinator. */
export async function distributeFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
      and not exists (
        select from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
          and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
          and (p.prosrc ~ ('\\m' || c.relname || '\\M') or c.reltype = any(p.proargtypes)))`);
  for (const { name } of rows) await client.query('select create_distributed_function($1)', [name]);
}
