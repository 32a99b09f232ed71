import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import Postgrator from 'postgrator';
import { installQueue } from '../jobs/install.ts';
import { UserError } from '../user-error.ts';
import { sessionOptions } from './connection-pool.ts';
import {
  requireCompatibleSchema,
  requireOwnership,
  requireSupportedServer,
} from './database-compatibility.ts';
import { grantPrivileges } from './grants.ts';
import { startTimeoutMs } from './servers.ts';
import { isSetAside } from './sharding/set-aside.ts';
import { distributeFunctions, isSharded } from './sharding/shard-database.ts';
import { splitStatements } from './sharding/split-statements.ts';

const schemaTable = 'schema_migrations';
export const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));

type Options = {
  /** The role of the service, which is granted what it needs; without one, it is the role that migrates. */
  serviceRole?: string | undefined;
  folder?: string;
  /** The version to stop at, if not the newest. */
  target?: number | undefined;
  /** How long a migration may wait for a lock, as later statements on the table queue behind it. */
  lockTimeoutMs?: number;
  attempts?: number;
  /** Whether the caller completes an interrupted distribution over workers, before which nothing is migrated. */
  resumesSharding?: boolean | undefined;
};

type Run = { client: pg.Client; postgrator: Postgrator; target: number } & Required<
  Pick<Options, 'lockTimeoutMs' | 'attempts'>
>;

const advisoryLock = 7_003;
const lockPollMs = 200;
const maxRetryDelayMs = 30_000;
const noTransaction = '-- no-transaction';
// No lock in time, or a deadlock.
const lockConflicts = new Set(['55P03', '40P01']);

/** Brings the schema to the newest version (docs/decisions/0023-migrations.md); returns the number of files applied. */
export async function migrate(
  connection: pg.ClientConfig,
  {
    serviceRole,
    folder = migrationsFolder,
    target = Number.POSITIVE_INFINITY,
    // Shorter than the deadlock_timeout of PostgreSQL, so that in a deadlock the migration gives way, and not a request.
    lockTimeoutMs = 500,
    attempts = 10,
    resumesSharding = false,
  }: Options = {},
): Promise<number> {
  return withSchemaLock(connection, async (client) => {
    await requireOwnership(client, schemaTable);
    if (await isSetAside(client)) {
      if (resumesSharding) return 0;
      throw new UserError(
        'The database lacks its foreign keys and triggers, as “motorpool shard” was interrupted: run it again, which completes it.',
      );
    }
    const sharded = await isSharded((text) => client.query(text));
    const postgrator = new Postgrator({
      driver: 'pg',
      migrationPattern: `${escapeGlob(folder)}*.sql`,
      schemaTable,
      newline: 'LF',
      execQuery: sharded ? (query) => executeEach(client, query) : (query) => client.query(query),
    });
    const applied = await applyMissing({ client, postgrator, target, lockTimeoutMs, attempts });
    if (sharded && applied > 0) await distributeFunctions(client);
    await installQueue(client);
    if (serviceRole !== undefined) await grantPrivileges(client, serviceRole);
    return applied;
  });
}

/** Runs `work` as the only one that changes the schema. */
export async function withSchemaLock<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...connection,
    application_name: 'motorpool migrate',
    // An index build may take longer than ordinary statements may.
    options: `${sessionOptions} -c statement_timeout=0 -c lock_timeout=0`,
    connectionTimeoutMillis: startTimeoutMs,
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await requireSupportedServer(client);
    await acquireLock(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** On a distributed database, through one connection to each worker, which sees what the transaction has done before. */
async function executeEach(client: pg.Client, sql: string): Promise<pg.QueryResult> {
  let result = await client.query(`set citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of splitStatements(sql)) result = await client.query(statement);
  return result;
}

/** Of the migrations that this program has. */
export async function newestSchemaVersion(folder = migrationsFolder): Promise<number> {
  return Math.max(...(await readdir(folder)).map((name) => Number.parseInt(name, 10) || 0));
}

/** Polls: a session that waits for the lock would keep a snapshot, which a concurrent index build waits for. */
async function acquireLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as acquired', [
      advisoryLock,
    ]);
    if (rows[0].acquired) return;
    await sleep(lockPollMs);
  }
}

async function applyMissing(run: Run): Promise<number> {
  const { client, postgrator, target } = run;
  await requireCompatibleSchema(client, schemaTable, await postgrator.getMaxVersion());
  const current = await postgrator.getDatabaseVersion();
  await postgrator.validateMigrations(current).catch((error: Error) => {
    throw new UserError(
      `A migration was edited after this database had applied it (${error.message}): ` +
        'run the Motorpool that created the database, or start with an empty one.',
    );
  });
  const missing = (await postgrator.getMigrations())
    .filter(({ version }) => version > current && version <= target)
    .sort((a, b) => a.version - b.version);
  for (const file of missing) {
    if (file.getSql().startsWith(noTransaction)) await applyOutsideTransaction(run, file);
    else await applyInTransaction(run, file);
  }
  return missing.length;
}

async function applyInTransaction(run: Run, file: Postgrator.Migration): Promise<void> {
  const { client, postgrator, lockTimeoutMs, attempts } = run;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await postgrator.migrate(String(file.version));
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      if (!lockConflicts.has((error as pg.DatabaseError).code ?? '')) throw error;
      if (attempt >= attempts) {
        throw new UserError(
          `Migration ${file.version} (${file.name}) needs a lock that another transaction holds: ` +
            'end that transaction (pg_stat_activity shows it), then start again.',
        );
      }
    }
    // Statements that queued behind the migration run before its next attempt.
    await sleep(Math.min(lockTimeoutMs * 2 ** (attempt - 1), maxRetryDelayMs));
  }
}

/** The file may have been executed before, in part or as a whole, without having been recorded. */
async function applyOutsideTransaction(
  { client, postgrator }: Run,
  file: Postgrator.Migration,
): Promise<void> {
  const index = /create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i;
  const name = index.exec(file.getSql())?.[1];
  if (name !== undefined) {
    // An interrupted build leaves an invalid index, which `if not exists` would not replace.
    const { rows } = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [name],
    );
    if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
  }
  await postgrator.migrate(String(file.version));
}

function escapeGlob(path: string): string {
  return path.replace(/[[\]{}()*?!+@]/g, '[$&]');
}
