import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The workers that the coordinator knows, each with the login of the coordinator. */
export async function workersOf(coordinator: pg.ClientConfig): Promise<pg.ClientConfig[]> {
  const rows = await query<{ host: string; port: number }>(
    coordinator,
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid',
  );
  return rows.map(({ host, port }) => ({ ...coordinator, host, port }));
}

/** Makes a cluster of the databases of one name. */
export async function connectNodes(
  coordinator: pg.ClientConfig,
  workers: readonly pg.ClientConfig[],
  database: string,
): Promise<void> {
  for (const node of [coordinator, ...workers])
    await query({ ...node, database }, 'create extension citus');
  const own = { ...coordinator, database };
  await query(own, 'select citus_set_coordinator_host($1, $2)', [own.host, own.port]);
  for (const { host, port } of workers)
    await query(own, 'select citus_add_node($1, $2)', [host, port]);
}

/** A new database on the coordinator that the address names, and on its workers where it is to be sharded; returns its address. */
export async function createDatabases(
  coordinatorUrl: string,
  database: string,
  onWorkers: boolean,
): Promise<string> {
  const { hostname, port, username } = new URL(coordinatorUrl);
  const coordinator = { host: hostname, port: Number(port), user: username, database: 'postgres' };
  const workers = onWorkers ? await workersOf(coordinator) : [];
  for (const node of [coordinator, ...workers]) await query(node, `create database ${database}`);
  if (onWorkers) await connectNodes(coordinator, workers, database);
  return new URL(database, coordinatorUrl).href;
}

/** Ends what Citus runs in the background on a database, which could otherwise not be copied. */
export async function releaseTemplate(node: pg.ClientConfig, template: string): Promise<void> {
  await query(node, `alter database ${template} allow_connections false`);
  for (let left = 1; left > 0; await sleep(50)) {
    const rows = await query(
      node,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [template],
    );
    left = rows.length;
  }
}

async function query<Row>(
  connection: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
