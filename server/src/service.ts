import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { type Composed, compose, metricsUpdates, startModules } from './compose.ts';
import type { Config } from './config.ts';
import type { Dependencies, FleetSettings } from './fleet/dependencies.ts';
import { consumeBoxMessages } from './fleet/telemetry/public.ts';
import { openBlobStore } from './platform/blobs/open-blob-store.ts';
import type { Database } from './platform/db/database.ts';
import type { ConfiguredDatabase } from './platform/db/open-database.ts';
import { openReplica, type ReadReplica } from './platform/db/replica.ts';
import { isUnavailable } from './platform/db/unavailable.ts';
import { type Readiness, registerHealth } from './platform/http/health.ts';
import { listen, localUrlOf } from './platform/http/listen.ts';
import { type MetricsSource, registerMetrics, updateMetrics } from './platform/http/metrics.ts';
import { createServer } from './platform/http/server.ts';
import { metrics } from './platform/metrics.ts';
import type { Consumer } from './platform/mqtt/consumer.ts';
import { outageLog } from './platform/outage-log.ts';
import type { Supervised } from './platform/processes/supervised.ts';
import type { Clock } from './platform/time/clock.ts';
import { UserError } from './platform/user-error.ts';

export type Service = {
  url: string;
  /** The address on this machine, regardless of PUBLIC_URL. */
  localUrl: string;
  port: number;
  metricsUrl: string | undefined;
  stop(): Promise<void>;
};

/** What a demo has beyond a service. */
export type Sandbox = {
  /** The time of the fleet. */
  clock: Clock;
  /** Runs before the first request. */
  begin(dependencies: Dependencies): Promise<void>;
};

/** Serves the database on the configured address. */
export async function startService(
  config: Config,
  db: ConfiguredDatabase,
  options: {
    logger: Logger;
    allowDemoCredentials: boolean;
    sandbox?: Sandbox;
    supervised?: Supervised | undefined;
  },
): Promise<Service> {
  const { HOST, PORT, METRICS_PORT, TRUST_PROXY } = config;
  const { logger, sandbox } = options;
  const fleet = await startFleet(config, db, logger, config.WORKER, sandbox?.clock);
  const { dependencies, boxes } = fleet;
  await sandbox?.begin(dependencies);
  const readiness = { stopping: false, mqtt: boxes?.state };
  let port = PORT;
  const localUrl = () => localUrlOf(HOST, port);
  const publicUrl = () => config.PUBLIC_URL ?? localUrl();
  const metricsSource = metricsOf(db, options.supervised);
  const app = buildApp({
    fleet: dependencies,
    logger,
    publicUrl,
    authIssuer: config.AUTH_ISSUER,
    authAudience: config.AUTH_AUDIENCE,
    defaultRole: config.AUTH_DEFAULT_ROLE,
    trustProxy: TRUST_PROXY,
    secure: config.PUBLIC_URL?.startsWith('https:') ?? false,
    allowDemoCredentials: options.allowDemoCredentials,
    simulatesFaults: sandbox !== undefined,
    readiness,
    corsOrigins: config.CORS_ORIGINS,
    map: { styleUrl: config.MAP_STYLE_URL, tilesFile: config.MAP_TILES },
    limits: {
      clientRate: config.LIMIT_CLIENT_RATE,
      clientConcurrency: config.LIMIT_CLIENT_CONCURRENCY,
      providerRate: config.LIMIT_PROVIDER_RATE,
      providerConcurrency: config.LIMIT_PROVIDER_CONCURRENCY,
    },
    metrics: METRICS_PORT === undefined ? metricsSource : undefined,
  });
  let metricsServer: Awaited<ReturnType<typeof startMetricsServer>>;
  try {
    metricsServer = await startMetricsServer(config, { logger, db, source: metricsSource });
    port = await listen(app, HOST, PORT, { host: 'HOST', port: 'PORT' });
  } catch (error) {
    await metricsServer?.close();
    await fleet.stop();
    throw error;
  }

  return {
    url: publicUrl(),
    localUrl: localUrl(),
    port,
    metricsUrl: metricsServer?.url,
    async stop() {
      readiness.stopping = true;
      await sleep(config.SHUTDOWN_DELAY_MS);
      const forceClose = setTimeout(
        () => {
          app.server.closeAllConnections();
          metricsServer?.cut();
        },
        (config.SHUTDOWN_TIMEOUT_MS * 2) / 3,
      );
      await app.close();
      await metricsServer?.close();
      clearTimeout(forceClose);
      await fleet.stop();
    },
  };
}

/** Logs what fails outside of requests; what an outage repeats, at intervals. */
function failureLog(logger: Logger): (error: unknown, message: string) => void {
  const logOutage = outageLog();
  return (error, message) => {
    const write = (fields: object, text: string) => logger.warn(fields, text);
    if (isUnavailable(error)) logOutage(message, error, write);
    else write({ err: error }, message);
  };
}

/** What a process runs: with `boxes`, it also receives their messages from an MQTT broker. */
export type Started = Composed & { boxes: Consumer | undefined; stop(): Promise<void> };

/** Opens the dependencies of handlers and jobs, prepares the modules, and runs jobs, if this process does. */
export async function startFleet(
  config: Config,
  db: ConfiguredDatabase,
  logger: Logger,
  runsJobs: boolean,
  clock?: Clock,
): Promise<Started> {
  if (!db.hasSeparateRoles) {
    logger.warn(
      'DATABASE_OWNER_URL is not set: the role of DATABASE_URL can also change the schema and what is append-only',
    );
  }
  const onError = failureLog(logger);
  const replica = replicaOf(config, db, onError);
  const composed = await compose({
    db,
    owner: db.owner,
    replica,
    blobs: await openBlobStore(config.BLOB_URL, config.DATA_DIR),
    settings: fleetSettings(config),
    runsJobs,
    onError,
    ...(clock && { clock }),
  });
  let beside: { stop(): Promise<void> }[];
  try {
    beside = await startModules(composed, { runsJobs, onError });
  } catch (error) {
    // Its polling would keep the process alive.
    await composed.queue.close();
    await replica?.close();
    throw error;
  }
  const { MQTT_URL: broker, MQTT_CLIENT_ID: clientId } = config;
  const boxes =
    runsJobs && broker
      ? consumeBoxMessages(composed.dependencies, { broker, clientId, log: logger })
      : undefined;
  return {
    ...composed,
    boxes,
    async stop() {
      await Promise.all([boxes, ...beside].map((one) => one?.stop()));
      await composed.queue.close();
      await replica?.close();
    },
  };
}

function replicaOf(
  config: Config,
  db: Database,
  onError: (error: unknown, message: string) => void,
): ReadReplica | undefined {
  if (config.DATABASE_READ_URL === undefined) return undefined;
  if (db.isSharded)
    throw new UserError(
      'DATABASE_READ_URL: cannot be used with a database that is distributed over workers, as the position of its ' +
        'coordinator says nothing of what their standbys have replayed.',
    );
  return openReplica({ connectionString: config.DATABASE_READ_URL }, db, {
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    secrets: db.secrets,
    // Without the connection, which the pool adds.
    onError: (error) =>
      onError(Object.assign(error, { client: undefined }), 'the replica cannot be used'),
  });
}

export function fleetSettings(config: Config): FleetSettings {
  return {
    uploadLimitBytes: config.UPLOAD_LIMIT_BYTES,
    historyDays: config.HISTORY_DAYS,
    auditRetentionDays: config.AUDIT_RETENTION_DAYS,
    eventsRetentionDays: config.EVENTS_RETENTION_DAYS,
    webhookNetworks: config.WEBHOOK_NETWORKS,
    chargingGapMs: config.CHARGING_GAP_MINUTES * 60_000,
  };
}

/** The metrics of this process, or the sum of all that its supervisor has. */
export function metricsOf(db: Database, supervised?: Supervised): MetricsSource {
  const update = () => updateMetrics(db, metricsUpdates);
  if (!supervised) return () => update().then(() => metrics.metrics());
  supervised.updateMetricsWith(update);
  return supervised.summedMetrics;
}

/**
 * Serves the metrics where METRICS_PORT says so, and with `readiness` also the health. First of all, so that a process that
 * works can be observed.
 */
export async function startMetricsServer(
  config: Config,
  {
    logger,
    db,
    readiness,
    source = metricsOf(db),
  }: { logger: Logger; db: Database; readiness?: Readiness; source?: MetricsSource },
): Promise<{ url: string; close(): Promise<void>; cut(): void } | undefined> {
  const { METRICS_HOST: host, METRICS_PORT: wanted } = config;
  if (wanted === undefined) return undefined;
  let url = '';
  const server = createServer({ logger, trustProxy: false, secure: false, publicUrl: () => url });
  registerMetrics(server, source);
  if (readiness) registerHealth(server, db, readiness);
  const names = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  url = localUrlOf(host, await listen(server, host, wanted, names));
  return {
    url: `${url}/metrics`,
    close: () => server.close(),
    cut: () => server.server.closeAllConnections(),
  };
}
