import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { compose } from '../compose.ts';
import type { Dependencies } from '../fleet/dependencies.ts';
import type { Events } from '../fleet/events.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { fileStore } from '../platform/blobs/file-store.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { MapOptions } from '../platform/http/console.ts';
import type { AllowedOrigins } from '../platform/http/cors.ts';
import { networkList } from '../platform/http/networks.ts';
import type { Role } from '../platform/http/principal.ts';
import { noLimits, type RequestLimits } from '../platform/http/request-limits.ts';
import type { ServerOptions } from '../platform/http/server.ts';
import type { Clock } from '../platform/time/clock.ts';
import { metricsOf } from '../service.ts';
import { requireContract } from './contract/document.ts';
import { testCredentials, testHistoryDays, testSecrets } from './global-setup.ts';
import { type Answer, type Sent, send } from './http-client.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export type TestService = {
  url: string;
  db: Database;
  /** With the role that may change the schema. */
  owner: Database;
  blobs: BlobStore;
  /** The folder of the default blob store. */
  blobFolder: string;
  database: TestDatabase;
  /** The dependencies of the handlers. */
  dependencies: Dependencies;
  /** For writing vehicles outside of a transaction. */
  writer: { tx: Database; events: Events; clock: Clock };
  /** All lines logged so far. */
  log: string[];
  /** The tree of routes, as Fastify prints it. */
  routes(): string;
  send(sent: Sent): Promise<Answer>;
  /** Runs the waiting jobs and those that they add; returns their number. */
  runJobs(): Promise<number>;
  token(realm?: string): Promise<string>;
  /** An operation of DE-ABC with a valid token; checks the answer against the OpenAPI document. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  stop(): Promise<void>;
};

type Options = {
  database?: TestDatabase;
  allowDemoCredentials?: boolean;
  simulatesFaults?: boolean;
  authIssuer?: string;
  authAudience?: string[];
  defaultRole?: Role | undefined;
  /** The shared address of several processes behind a proxy; by default its own. */
  publicUrl?: string;
  trustProxy?: ServerOptions['trustProxy'];
  timeouts?: ServerOptions['timeouts'];
  corsOrigins?: AllowedOrigins;
  map?: MapOptions;
  statementTimeoutMs?: number;
  limits?: Partial<RequestLimits>;
  blobs?: BlobStore;
  uploadLimitBytes?: number;
  historyDays?: number;
  /** The clock of the domain; by default the system's. */
  clock?: Clock;
};

/** A machine that runs many tests at once is slow, which is no fault. */
const patience = { maxWaitMs: 60_000, probe: { afterMs: 60_000, limitMs: 60_000 } };

/** The real service on a real port and a real database. */
export async function startTestService(options: Options = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const { statementTimeoutMs = 60_000 } = options;
  const db = openDatabase(database.connection, {
    poolSize: 4,
    statementTimeoutMs,
    ...patience,
    secrets: testSecrets,
    isSharded: database.isSharded,
  });
  const owner = openDatabase(database.owner, {
    poolSize: 2,
    statementTimeoutMs,
    ...patience,
    isSharded: database.isSharded,
  });
  const blobFolder = await mkdtemp(join(tmpdir(), 'motorpool-test-blobs-'));
  const blobs = options.blobs ?? fileStore(blobFolder);
  const log: string[] = [];
  let url = '';
  const { dependencies, queue } = await compose({
    db,
    owner,
    blobs,
    settings: {
      uploadLimitBytes: options.uploadLimitBytes ?? 1_000_000,
      historyDays: options.historyDays ?? testHistoryDays,
      auditRetentionDays: 730,
      eventsRetentionDays: 7,
      webhookNetworks: networkList(['127.0.0.0/8']),
      chargingGapMs: 900_000,
    },
    runsJobs: false,
    onError: (error) => void log.push(JSON.stringify({ err: String(error) })),
    ...(options.clock && { clock: options.clock }),
  });
  const app = buildApp({
    fleet: dependencies,
    logger: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    publicUrl: () => options.publicUrl ?? url,
    authIssuer: options.authIssuer,
    authAudience: options.authAudience,
    defaultRole: 'defaultRole' in options ? options.defaultRole : 'editor',
    trustProxy: options.trustProxy ?? false,
    secure: false,
    allowDemoCredentials: options.allowDemoCredentials ?? true,
    simulatesFaults: options.simulatesFaults ?? false,
    readiness: { stopping: false },
    corsOrigins: options.corsOrigins ?? [],
    map: options.map,
    metrics: metricsOf(db),
    timeouts: options.timeouts,
    limits: { ...noLimits, ...options.limits },
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  // Where timeouts are tested, connections end that an agent would use again.
  const agent = options.timeouts ? false : new Agent({ keepAlive: true });
  const tokens = new Map<string, { token: string; renewAt: number }>();

  const service: TestService = {
    url,
    db,
    owner,
    blobs,
    blobFolder,
    database,
    dependencies,
    writer: { tx: db, events: dependencies.events, clock: dependencies.clock },
    log,
    routes: () => app.printRoutes({ commonPrefix: false }),
    send: (sent) => send(url, sent, agent),
    runJobs: () => queue.drain(),
    async token(realm = 'DE-ABC') {
      const cached = tokens.get(realm);
      if (cached && Date.now() < cached.renewAt) return cached.token;
      const { json } = await requestToken(url, realm, testCredentials);
      const token = json.access_token;
      tokens.set(realm, { token, renewAt: Date.now() + json.expires_in * 500 });
      return token;
    },
    async call(method, path, body, headers = {}) {
      const fullPath = `/api/fleets/v1/DE/ABC${path}`;
      const answer = await service.send({
        method,
        path: fullPath,
        body: body === undefined ? undefined : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${await service.token()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      if (answer.status >= 500) throw new Error(log.findLast((line) => line.includes('"err"')));
      requireContract(method, fullPath, answer);
      return answer;
    },
    async stop() {
      await app.close();
      if (agent) agent.destroy();
      await queue.close();
      await db.close();
      await owner.close();
      await rm(blobFolder, { recursive: true });
      if (!options.database) await database.drop();
    },
  };
  return service;
}

export function requestToken(
  url: string,
  realm: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(url, {
    method: 'POST',
    path: `/realms/${realm}/protocol/openid-connect/token`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...headers,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  });
}
