import { type Logger, pino } from 'pino';
import { buildApp } from './app.ts';
import { type Composed, compose, startModules } from './compose.ts';
import type { Config } from './config.ts';
import type { FleetSettings } from './fleet/dependencies.ts';
import { batchedLogWriter } from './platform/batched-log-writer.ts';
import { openBlobStore } from './platform/blobs/open-blob-store.ts';
import type { Database } from './platform/db/database.ts';
import { UserError } from './platform/user-error.ts';

export type Service = {
  url: string;
  /** The address on this machine, regardless of PUBLIC_URL. */
  localUrl: string;
  port: number;
  stop(): Promise<void>;
};

/** Serves the database on the configured address. */
export async function startService(
  config: Config,
  db: Database,
  options: { allowDemoCredentials: boolean },
): Promise<Service> {
  const { HOST, PORT, AUTH_ISSUER, TRUST_PROXY, LOG_LEVEL } = config;
  const logger = createLogger(LOG_LEVEL);
  const { dependencies, queue } = await startFleet(config, db, logger, config.WORKER);
  const readiness = { stopping: false };
  let port = PORT;
  const localHost = () =>
    ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const localUrl = () => `http://${localHost()}:${port}`;
  const publicUrl = () => config.PUBLIC_URL ?? localUrl();
  const app = buildApp({
    fleet: dependencies,
    logger,
    publicUrl,
    authIssuer: AUTH_ISSUER,
    defaultRole: config.AUTH_DEFAULT_ROLE,
    trustProxy: TRUST_PROXY,
    secure: config.PUBLIC_URL?.startsWith('https:') ?? false,
    allowDemoCredentials: options.allowDemoCredentials,
    readiness,
  });
  try {
    await app.listen({ host: HOST, port: PORT });
  } catch (error) {
    await queue.close();
    throw new UserError(listenErrorMessage(error as NodeJS.ErrnoException, config));
  }
  const address = app.server.address();
  if (typeof address === 'object' && address) port = address.port;

  logger.info({ url: publicUrl() }, 'listening');

  return {
    url: publicUrl(),
    localUrl: localUrl(),
    port,
    async stop() {
      readiness.stopping = true;
      const forceClose = setTimeout(
        () => app.server.closeAllConnections(),
        config.SHUTDOWN_TIMEOUT_MS,
      );
      await app.close();
      clearTimeout(forceClose);
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

/** Opens the dependencies of handlers and jobs, prepares the modules, and runs jobs, if this process does. */
export async function startFleet(
  config: Config,
  db: Database,
  logger: Logger,
  runsJobs: boolean,
): Promise<Composed> {
  const composed = await compose({
    db,
    blobs: await openBlobStore(config.BLOB_URL, config.DATA_DIR),
    settings: fleetSettings(config),
    runsJobs,
    onError: (error, message) => logger.warn({ err: error }, message),
  });
  try {
    await startModules(composed, runsJobs);
  } catch (error) {
    // Its polling would keep the process alive.
    await composed.queue.close();
    throw error;
  }
  return composed;
}

export function fleetSettings(config: Config): FleetSettings {
  return {
    uploadLimitBytes: config.UPLOAD_LIMIT_BYTES,
    historyDays: config.HISTORY_DAYS,
    auditRetentionDays: config.AUDIT_RETENTION_DAYS,
    chargingGapMs: config.CHARGING_GAP_MINUTES * 60_000,
  };
}

function listenErrorMessage(
  { code, message }: NodeJS.ErrnoException,
  { HOST, PORT }: Config,
): string {
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
