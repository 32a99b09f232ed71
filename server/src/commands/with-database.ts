import { type Config, loadConfig } from '../config.ts';
import { createAuditPartitions } from '../platform/db/audit-partitions.ts';
import type { Role } from '../platform/db/embedded/embedded-database.ts';
import { type DatabaseSettings, openConfiguredDatabase } from '../platform/db/open-database.ts';
import { commandActor } from './acting-command.ts';
import { listenForInterruption } from './interruption.ts';

export type OpenDatabase = Awaited<ReturnType<typeof openFor>>;

export function openFor(config: Config, role: Role, onError?: (error: Error) => void) {
  return openConfiguredDatabase({ ...databaseSettings(config), onError }, role);
}

export function databaseSettings(config: Config): DatabaseSettings {
  return {
    databaseUrl: config.DATABASE_URL,
    ownerUrl: config.DATABASE_OWNER_URL,
    dataDir: config.DATA_DIR,
    connections: connectionsOf(config),
    secretKeys: config.SECRETS_KEY,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  };
}

/** Beside the pool, a process has one of the owner and one that keeps the embedded server. */
const connectionsBesidePool = 2;
/** Of commands, the supervisor and backups. */
const otherConnections = 20;

/** At most; with one process more than are wanted, as when they are replaced. */
export function connectionsOf({ PROCESSES, DATABASE_POOL_SIZE }: Config): number {
  return (PROCESSES + 1) * (DATABASE_POOL_SIZE + connectionsBesidePool) + otherConnections;
}

/**
 * Runs `work` on the configured database, whether or not a service is running; the audit trail records what it changes. An
 * interruption closes the connections, which rolls back what is not committed.
 */
export async function withDatabase<Result>(
  work: (db: OpenDatabase, interruption: AbortSignal) => Promise<Result>,
  settings: Pick<DatabaseSettings, 'resumesSharding'> = {},
): Promise<Result> {
  const config = loadConfig(process.env);
  const { signal, release } = listenForInterruption();
  try {
    const db = await openConfiguredDatabase(
      { ...databaseSettings(config), ...settings },
      'command',
    );
    try {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => void db.close());
      await createAuditPartitions(db.owner);
      return await work({ ...db, ...db.actingAs(commandActor()), close: db.close }, signal);
    } finally {
      await db.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}
