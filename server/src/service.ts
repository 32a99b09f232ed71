import { type Logger, pino } from 'pino';
import { buildApp } from './app.ts';
import { removeExpiredRecords } from './auth/sign-in-records.ts';
import type { Config } from './config.ts';
import type { TelemetrySettings } from './operations/dependencies.ts';
import { sweepBytes } from './operations/files/sweep-bytes.ts';
import { jobKinds } from './operations/jobs.ts';
import { keepHistoryMonths } from './operations/shared/history/keep-history.ts';
import { reviewUnseen } from './operations/shared/maintenance/review-fleet.ts';
import { batchedLogWriter } from './platform/batched-log-writer.ts';
import { openBlobStore } from './platform/blobs/open-blob-store.ts';
import type { Database } from './platform/db/database.ts';
import { openQueue, type Queue } from './platform/jobs/queue.ts';
import { UserError } from './platform/user-error.ts';

export type Service = {
  url: string;
  /** Where this machine reaches it, whatever clients call it. */
  localUrl: string;
  port: number;
  stop(): Promise<void>;
};

const sweepIntervalMs = 3_600_000;

/** Serves the database on the configured address until it is stopped. */
export async function startService(
  config: Config,
  db: Database,
  options: { honourDemo: boolean },
): Promise<Service> {
  const { HOST, PORT, AUTH_ISSUER, TRUST_PROXY, LOG_LEVEL } = config;
  const logger = createLogger(LOG_LEVEL);
  const blobs = await openBlobStore(config.BLOB_URL, config.DATA_DIR);
  const queue = await startQueue(config, db, logger, config.WORKER);
  const readiness = { stopping: false };
  let port = PORT;
  const reachable = () =>
    ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const localUrl = () => `http://${reachable()}:${port}`;
  const publicUrl = () => config.PUBLIC_URL ?? localUrl();
  const app = buildApp({
    db,
    blobs,
    jobs: queue,
    uploadLimitBytes: config.UPLOAD_LIMIT_BYTES,
    telemetry: telemetryOf(config),
    logger,
    publicUrl,
    authIssuer: AUTH_ISSUER,
    trustProxy: TRUST_PROXY,
    secure: config.PUBLIC_URL?.startsWith('https:') ?? false,
    honourDemo: options.honourDemo,
    readiness,
  });
  try {
    await app.listen({ host: HOST, port: PORT });
  } catch (error) {
    await queue.close();
    throw new UserError(listenFault(error as NodeJS.ErrnoException, config));
  }
  const address = app.server.address();
  if (typeof address === 'object' && address) port = address.port;

  const sweep = () => {
    const warn = (message: string) => (error: unknown) => {
      // A stop cuts it short, and the next start makes up for it.
      if (!readiness.stopping) logger.warn({ err: error }, message);
    };
    removeExpiredRecords(db).catch(warn('expired sign-ins stay for now'));
    const unowned = warn('bytes without an owner stay for now');
    sweepBytes({ db, blobs }).then(({ faults }) => faults.slice(0, 1).forEach(unowned), unowned);
  };
  sweep();
  const sweeping = setInterval(sweep, sweepIntervalMs);
  logger.info({ url: publicUrl() }, 'listening');

  return {
    url: publicUrl(),
    localUrl: localUrl(),
    port,
    async stop() {
      readiness.stopping = true;
      clearInterval(sweeping);
      const overdue = setTimeout(
        () => app.server.closeAllConnections(),
        config.SHUTDOWN_TIMEOUT_MS,
      );
      await app.close();
      clearTimeout(overdue);
      await queue.close();
      logger.info('stopped');
    },
  };
}

export function createLogger(level: string): Logger {
  const output = pino.destination({ sync: true });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: [
      'authorization',
      'client_secret',
      'password',
      '*.authorization',
      '*.client_secret',
      '*.password',
      '*.cookie',
    ],
  };
  return pino(
    options,
    batchedLogWriter((text) => output.write(text)),
  );
}

/** The queue of jobs; a process that works also does them. */
export async function startQueue(
  config: Config,
  db: Database,
  logger: Logger,
  works: boolean,
): Promise<Queue> {
  const telemetry = telemetryOf(config);
  // Before the first message, which may come before the first upkeep.
  await db.transaction((tx) => keepHistoryMonths(tx, telemetry.historyDays));
  const queue = await openQueue(db, {
    kinds: jobKinds,
    dependencies: { db, telemetry },
    works,
    onError: (error, message) => logger.warn({ err: error }, message),
  });
  if (!works) return queue;
  try {
    await db.transaction((tx) => reviewUnseen(tx, queue));
    await queue.work();
  } catch (error) {
    // It would go on asking, and keep the process.
    await queue.close();
    throw error;
  }
  return queue;
}

export function telemetryOf({ HISTORY_DAYS, CHARGING_GAP_MINUTES }: Config): TelemetrySettings {
  return { historyDays: HISTORY_DAYS, chargingGapMs: CHARGING_GAP_MINUTES * 60_000 };
}

function listenFault({ code, message }: NodeJS.ErrnoException, { HOST, PORT }: Config): string {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: something else listens on ${HOST}:${PORT} already: stop it, or set another PORT.`;
    case 'EACCES':
      return `PORT: listening on ${PORT} is not permitted: set a PORT above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST: ${HOST} is not an address of this machine.`;
    default:
      return `Cannot listen on ${HOST}:${PORT}: ${message}`;
  }
}
