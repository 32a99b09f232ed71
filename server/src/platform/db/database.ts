import { createHash } from 'node:crypto';
import pg from 'pg';
import { noSecrets, type SecretBox } from '../secrets/secret-box.ts';
import { batchLookups, type Lookup } from './lookup-batcher.ts';
import { Session } from './session.ts';
import { isUnavailable } from './unavailable.ts';

export type Queryable = {
  /** Prepared onPooledSession per connection: for statements whose text does not vary. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The row of a lookup; outside of a transaction, batched with other lookups of the same statement. */
  lookup<Row extends object>(lookup: Lookup, values: readonly unknown[]): Promise<Row | undefined>;
  /** Parsed each time: for statements whose text depends on the request, which must not accumulate. */
  queryUnprepared<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** For the statements of libraries: the result has the driver's column types. */
  rawQuery(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** Seals and opens the secrets of the database, which are stored encrypted. */
  secrets: SecretBox;
};

export type Database = Queryable & {
  /** Runs `work` in one transaction. */
  transaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    mode?: 'read write' | 'read only',
  ): Promise<Result>;
  /** Runs `work` on one connection without a transaction, for session state and what allows no transaction. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>;
  /** Closes the connections, which rolls back what still runs. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  /** How long the server may not respond; by default somewhat longer than the statement timeout. */
  responseTimeoutMs?: number;
  idleTimeoutMs?: number;
  secrets?: SecretBox;
  onError?: (error: Error) => void;
};

/** An external server may have other defaults. */
export const sessionOptions = '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=1';
const connectionTimeoutMs = 5_000;
const defaultIdleTimeoutMs = 60_000;
const maxWatchdogIntervalMs = 1_000;
const beginReadOnly = 'begin isolation level repeatable read read only';

export function openDatabase(connection: pg.PoolConfig, options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'motorpool',
    options: sessionOptions,
    max: options.poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    keepAlive: true,
  });
  pool.on('error', (error) => options.onError?.(error));
  const sessions = new Map<pg.PoolClient, Session>();
  let closed: Promise<void> | undefined;
  pool.on('connect', (client) => {
    if (closed) void client.end();
    sessions.set(client, new Session(client));
  });
  pool.on('remove', (client) => sessions.delete(client));
  const responseTimeoutMs = options.responseTimeoutMs ?? options.statementTimeoutMs + 5_000;
  // One timer for all sessions rather than one per statement.
  const watchdog = setInterval(
    () => closeUnresponsive(sessions.values(), responseTimeoutMs),
    Math.min(responseTimeoutMs, maxWatchdogIntervalMs),
  ).unref();

  const acquire = () =>
    new Promise<Session>((resolve, reject) => {
      pool.connect((error, client) => {
        const session = client && sessions.get(client);
        if (session) resolve(session);
        else reject(error ?? new Error('Connection terminated'));
      });
    });
  const onPooledSession: WithSession = async (execute) => {
    const session = await acquire();
    try {
      return await execute(session);
    } catch (error) {
      if (breaksConnection(error)) session.broken ??= error as Error;
      throw error;
    } finally {
      session.client.release(session.broken);
    }
  };

  const { secrets = noSecrets } = options;
  const statements = queryable(onPooledSession, secrets);
  return {
    ...statements,
    lookup: batchLookups(statements.query),
    async transaction(work, mode = 'read write') {
      const session = await acquire();
      session.pendingBegin = mode === 'read only' ? beginReadOnly : 'begin';
      const end = async (text: 'commit' | 'rollback') => {
        if (session.pendingBegin === undefined) await session.execute({ text, values: [] });
      };
      try {
        const result = await work(queryable((execute) => execute(session), secrets));
        await end('commit');
        return result;
      } catch (error) {
        if (breaksConnection(error)) session.broken ??= error as Error;
        else
          await end('rollback').catch((failure: Error) => {
            session.broken = failure;
          });
        throw error;
      } finally {
        session.pendingBegin = undefined;
        session.client.release(session.broken);
      }
    },
    async session(work) {
      const session = await acquire();
      try {
        return await work(queryable((execute) => execute(session), secrets));
      } catch (error) {
        // Locks and settings of the session end with its connection.
        session.broken ??= error as Error;
        throw error;
      } finally {
        session.client.release(session.broken);
      }
    },
    close() {
      clearInterval(watchdog);
      closed ??= pool.end();
      for (const client of sessions.keys()) void client.end();
      return closed;
    },
  };
}

/** After any other error the connection can be reused. */
function breaksConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isUnavailable(error);
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** For a server that vanished without closing its connections. */
function closeUnresponsive(sessions: Iterable<Session>, limitMs: number): void {
  const latestStart = performance.now() - limitMs;
  for (const { startedAt, client } of sessions) {
    if (startedAt !== undefined && startedAt < latestStart)
      client.connection.stream.destroy(new Error('Query read timeout'));
  }
}

type WithSession = <Result>(execute: (session: Session) => Promise<Result>) => Promise<Result>;

function queryable(on: WithSession, secrets: SecretBox): Queryable {
  const query = <Row>(text: string, values: readonly unknown[] = []) =>
    on((session) => session.execute<Row>({ name: statementName(text), text, values }));
  return {
    query,
    lookup: async <Row extends object>({ text }: Lookup, values: readonly unknown[]) =>
      (await query<Row>(text, values))[0],
    queryUnprepared: <Row>(text: string, values: readonly unknown[] = []) =>
      on((session) => session.execute<Row>({ text, values })),
    rawQuery: (text, values) => on((session) => session.rawQuery(text, values)),
    secrets,
  };
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    statementNames.set(text, name);
  }
  return name;
}
