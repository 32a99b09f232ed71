import type { Config } from '../config.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { createLogger, type Sandbox, type Service, startService } from '../service.ts';
import { databaseFailureLog } from './database-failures.ts';
import { limitStop, listenForInterruption } from './interruption.ts';
import { traceFailureLog } from './trace-failures.ts';
import { type OpenDatabase, openFor } from './with-database.ts';

type Options = {
  allowDemoCredentials: boolean;
  sandbox?: Sandbox;
  prepare?: (db: OpenDatabase) => Promise<void>;
  /** Stops when the signal is aborted, before the service does, and never rejects. */
  background?: (service: Service, signal: AbortSignal) => Promise<void>;
};

/** Opens the database, starts the service, and stops both on a signal. */
export async function runService(config: Config, options: Options): Promise<Service> {
  // First, so that an interrupted start also stops PostgreSQL.
  const { signal } = listenForInterruption();
  limitStop(signal, config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS);
  const logger = createLogger(config.LOG_LEVEL);
  const stopTracing = await startTracing(process.env, traceFailureLog(logger));
  const db = await openFor(config, 'service', databaseFailureLog(logger));
  let service: Service;
  try {
    signal.throwIfAborted();
    await options.prepare?.(db);
    signal.throwIfAborted();
    service = await startService(config, db, { ...options, logger });
  } catch (error) {
    await db.close();
    throw error;
  }
  const background = options.background?.(service, signal);
  const stop = async () => {
    try {
      await background;
      await service.stop();
    } finally {
      await Promise.all([db.close(), stopTracing(config.SHUTDOWN_TIMEOUT_MS / 6)]);
    }
    process.exit(0);
  };
  if (signal.aborted) await stop();
  signal.addEventListener('abort', () => void stop());
  return service;
}
