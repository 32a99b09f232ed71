import type { Config } from '../config.ts';
import { requireFreePort } from '../platform/http/listen.ts';
import { createLogger } from '../platform/logger.ts';
import type { Supervised } from '../platform/processes/supervised.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { type Sandbox, type Service, startService } from '../service.ts';
import { databaseFailureLog } from './database-failures.ts';
import { failureMessage } from './failure-message.ts';
import { Interrupted, limitStop, listenForInterruption } from './interruption.ts';
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
  await requireFreePort(config.HOST, config.PORT, { host: 'HOST', port: 'PORT' });
  return run(config, options, signal);
}

/** One of several processes: its supervisor has prepared the database, and is told what fails. */
export async function runSupervised(config: Config, supervised: Supervised): Promise<void> {
  const options = { allowDemoCredentials: false };
  try {
    await run(config, options, interruptionOf(config, supervised), supervised);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    await supervised.failed(failureMessage(error));
    process.exit(1);
  }
}

function interruptionOf(config: Config, supervised: Supervised): AbortSignal {
  // A terminal sends them to the supervisor as well, which decides.
  for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => {});
  const ordered = new AbortController();
  supervised.onStop(() => ordered.abort(new Interrupted()));
  const { signal } = listenForInterruption(['SIGTERM']);
  limitStop(signal, config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS);
  return AbortSignal.any([ordered.signal, signal]);
}

async function run(
  config: Config,
  options: Options,
  signal: AbortSignal,
  supervised?: Supervised,
): Promise<Service> {
  const logger = createLogger(config.LOG_LEVEL);
  const stopTracing = await startTracing(process.env, traceFailureLog(logger));
  const role = supervised ? 'worker' : 'service';
  const db = await openFor(config, role, databaseFailureLog(logger));
  let service: Service;
  try {
    signal.throwIfAborted();
    await options.prepare?.(db);
    signal.throwIfAborted();
    service = await startService(config, db, { ...options, logger, supervised });
  } catch (error) {
    await db.close();
    throw error;
  }
  const { url, metricsUrl } = service;
  if (supervised) supervised.ready({ url, metricsUrl });
  else logger.info({ url, metricsUrl }, 'listening');
  const background = options.background?.(service, signal);
  const stop = async () => {
    try {
      await background;
      await service.stop();
      if (!supervised) logger.info('stopped');
    } finally {
      await Promise.all([db.close(), stopTracing(config.SHUTDOWN_TIMEOUT_MS / 6)]);
    }
    await supervised?.leave();
    process.exit(0);
  };
  if (signal.aborted) await stop();
  signal.addEventListener('abort', () => void stop());
  return service;
}
