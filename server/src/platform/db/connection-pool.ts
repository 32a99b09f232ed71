import pg from 'pg';
import { AdmissionQueue, type Tenant } from './admission-queue.ts';
import { openPools } from './pool-metrics.ts';
import { Pooler, pooledSessionOptions } from './pooler.ts';
import { answers } from './probe.ts';
import type { Connection } from './servers.ts';
import { Session } from './session.ts';
import { isConnectionError } from './unavailable.ts';

export type PoolOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  /** How long the server may not respond; by default somewhat longer than the statement timeout. */
  responseTimeoutMs?: number;
  /** After a statement has run for so long, the server is probed, and must answer within the limit. */
  probe?: { afterMs: number; limitMs: number };
  /** How long a statement waits for a connection. */
  maxWaitMs?: number;
  idleTimeoutMs?: number;
  onError?: ((error: Error) => void) | undefined;
  /** Whether the tables are distributed over workers (docs/decisions/0070-a-sharded-database.md). */
  isSharded?: boolean;
};

export type ConnectionPool = {
  /** A session for the tenant's exclusive use until it is released. */
  acquire(tenant: Tenant): Promise<Session>;
  release(tenant: Tenant, session: Session): void;
  /** Counts as one more of the tenant, without a session, until the result is called. */
  hold(tenant: Tenant): () => void;
  /** Closes the connections, which rolls back what still runs. */
  close(): Promise<void>;
};

/** An external server may have other defaults. */
export const sessionOptions = '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=1';
// One statement takes one core, not those of all others.
const serviceOptions = `${sessionOptions} -c max_parallel_workers_per_gather=0`;
// Settings of a transaction, such as its actor, hold on the worker as well.
const shardedOptions = `${serviceOptions} -c citus.propagate_set_commands=local`;
const optionsOf = (throughPooler: boolean, isSharded = false) =>
  throughPooler ? pooledSessionOptions : isSharded ? shardedOptions : serviceOptions;
const connectionTimeoutMs = 4_500;
// Together with the interval below, a request to a frozen server is answered within five seconds.
const defaultProbe = { afterMs: 1_000, limitMs: 3_000 };
const defaultIdleTimeoutMs = 60_000;
const maxWatchdogIntervalMs = 500;
const queueLimits = { maxWaiting: 2_000, maxWaitingOfTenant: 500, maxWaitMs: 5_000 };
/** The fraction of the connections that is kept for tenants which hold none. */
const reservedShare = 0.2;

export function openPool(
  { servers = 1, behindPooler, ...connection }: Connection,
  options: PoolOptions,
): ConnectionPool {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'motorpool',
    options: optionsOf(behindPooler !== undefined, options.isSharded),
    max: options.poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    ...(!behindPooler && { statement_timeout: options.statementTimeoutMs }),
    keepAlive: true,
  });
  const pooler = behindPooler ? new Pooler() : undefined;
  const sessions = new Map<pg.PoolClient, Session>();
  let closed: Promise<void> | undefined;
  pool.on('error', (error) => {
    // A server that stops with the service ends connections that are about to be closed.
    if (!closed) options.onError?.(error);
  });
  pool.on('connect', (client) => {
    if (closed) void client.end();
    sessions.set(client, new Session(client, pooler, options.isSharded));
  });
  pool.on('remove', (client) => sessions.delete(client));
  // Admits no more than the pool has connections, so that nobody waits in the pool's own queue.
  const { maxWaitMs = queueLimits.maxWaitMs } = options;
  const slots = options.poolSize;
  const reserved = Math.floor(slots * reservedShare);
  const queue = new AdmissionQueue({ slots, reserved, ...queueLimits, maxWaitMs });
  const loadOf = () => queue.load;
  openPools.add(loadOf);
  const responseTimeoutMs = options.responseTimeoutMs ?? options.statementTimeoutMs + 5_000;
  const { afterMs, limitMs } = options.probe ?? defaultProbe;
  /** Those who have had their turn, and wait for a connection to be made. */
  const connecting = new Set<{ deadline: number; expire(): void }>();
  let isProbing = false;
  const probe = async () => {
    isProbing = true;
    // A pooler may have no session free, and a server that is busy is not frozen.
    if (!(await answers(behindPooler ?? connection, limitMs))) {
      closeUnresponsive(sessions.values(), performance.now() - limitMs);
      // The next request would wait on one that is idle as long again.
      for (const session of sessions.values())
        if (session.startedAt === undefined) session.broken ??= new Error('Query read timeout');
    }
    isProbing = false;
  };
  // One timer for all rather than one per statement.
  const watchdog = setInterval(
    () => {
      const now = performance.now();
      closeUnresponsive(sessions.values(), now - responseTimeoutMs);
      if (!isProbing && hasStarted(sessions.values(), now - afterMs)) void probe();
      queue.expire(now);
      for (const attempt of connecting) if (attempt.deadline < now) attempt.expire();
    },
    Math.min(responseTimeoutMs, maxWatchdogIntervalMs),
  ).unref();

  return {
    acquire: (tenant) =>
      new Promise((resolve, reject) => {
        let triesLeft = servers;
        let isOver = false;
        const fail = (error: Error) => {
          isOver = true;
          connecting.delete(attempt);
          queue.leave(tenant);
          reject(error);
        };
        // The time in the queue counts: on a frozen server, nobody waits for one limit after the other.
        const attempt = {
          deadline: performance.now() + maxWaitMs * servers - maxWatchdogIntervalMs,
          expire: () => fail(new Error('timeout exceeded when trying to connect')),
        };
        const connect = () => {
          connecting.add(attempt);
          pool.connect((error, client) => {
            connecting.delete(attempt);
            if (isOver) return client?.release();
            const session = client && sessions.get(client);
            if (session?.broken) {
              client?.release(session.broken);
              return connect();
            }
            if (session) {
              session.acquiredAt = performance.now();
              return resolve(session);
            }
            triesLeft -= 1;
            if (triesLeft > 0) return connect();
            fail(error ?? new Error('Connection terminated'));
          });
        };
        queue.enter(tenant, (refusal) => {
          if (refusal) reject(refusal);
          else connect();
        });
      }),
    release(tenant, session) {
      // After a failover, all sessions may be with a server that only reads now.
      if (isReadOnly(session.broken))
        for (const one of sessions.values()) one.broken ??= session.broken;
      session.client.release(session.broken);
      queue.leave(tenant, performance.now() - session.acquiredAt);
    },
    hold: (tenant) => queue.hold(tenant),
    close() {
      clearInterval(watchdog);
      openPools.delete(loadOf);
      closed ??= pool.end();
      queue.clear();
      for (const client of sessions.keys()) void client.end();
      return closed;
    },
  };
}

/** After any other error the connection can be reused. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isConnectionError(error);
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isReadOnly(error);
}

/** Whether the server refuses to write, as a standby does. */
function isReadOnly(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '25006';
}

/** For a server that is frozen, or vanished without closing its connections. */
function closeUnresponsive(sessions: Iterable<Session>, latestStart: number): void {
  for (const session of sessions) {
    if (hasStarted([session], latestStart))
      session.client.connection.stream.destroy(new Error('Query read timeout'));
  }
}

/** Whether a statement that still runs has started by then. */
function hasStarted(sessions: Iterable<Session>, latestStart: number): boolean {
  for (const { startedAt } of sessions)
    if (startedAt !== undefined && startedAt < latestStart) return true;
  return false;
}
