import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createLogger } from '../platform/logger.ts';
import { type Supervisor, superviseProcesses } from '../platform/processes/supervisor.ts';
import { databaseFailureLog } from './database-failures.ts';
import { limitStop, listenForInterruption, stopSignals } from './interruption.ts';
import { connectionsOf, type OpenDatabase, openFor } from './with-database.ts';

/**
 * Opens the database, whose embedded server lives as long as this process, and supervises the processes that serve it
 * (docs/decisions/0073-many-processes.md).
 */
export async function runProcesses(
  config: Config,
  prepare: (db: OpenDatabase) => Promise<void>,
): Promise<void> {
  // A terminal that is closed sends the same signal, and nobody asks for new processes then.
  const rollsOnHangUp = !process.stdin.isTTY;
  const { signal } = listenForInterruption(
    stopSignals.filter((name) => name !== 'SIGHUP' || !rollsOnHangUp),
  );
  const stopLimitMs = config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS;
  limitStop(signal, stopLimitMs);
  let supervisor: Supervisor | undefined;
  if (rollsOnHangUp) process.on('SIGHUP', () => void supervisor?.roll());
  const logger = createLogger(config.LOG_LEVEL);
  const db = await openFor(config, 'service', databaseFailureLog(logger));
  try {
    signal.throwIfAborted();
    await prepare(db);
    await warnOfConnections(config, db, logger);
    signal.throwIfAborted();
    supervisor = await superviseProcesses(config.PROCESSES, { logger, stopLimitMs, signal });
  } catch (error) {
    await db.close();
    signal.throwIfAborted();
    throw error;
  }
  const { url, metricsUrl, ended } = supervisor;
  logger.info({ url, metricsUrl, processes: config.PROCESSES }, 'listening');
  void ended.then(async () => {
    await db.close();
    logger.info('stopped');
    process.exit(0);
  });
}

/** A pooler in between may have more than the server says. */
async function warnOfConnections(config: Config, db: OpenDatabase, logger: Logger): Promise<void> {
  const [row] = await db.query<{ allowed: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed`,
  );
  const [needed, allowed] = [connectionsOf(config), row?.allowed ?? 0];
  if (needed > allowed)
    logger.warn(
      { needed, allowed },
      'PROCESSES and DATABASE_POOL_SIZE need more connections than the database allows',
    );
}
