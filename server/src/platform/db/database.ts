import { createHash } from 'node:crypto';
import pg from 'pg';
import { batchLookups, type Lookup } from './lookup-batcher.ts';
import { Session } from './statement.ts';
import { isUnavailable } from './unavailable.ts';

export type Queryable = {
  /** A statement whose text is one of a few: prepared once per connection. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The row of a lookup; outside of a transaction, batched with other lookups of the same kind. */
  lookup<Row extends object>(lookup: Lookup, values: readonly unknown[]): Promise<Row | undefined>;
  /** A statement whose text depends on the request: parsed each time, so that none accumulates. */
  queryUnprepared<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A statement of a library's own, answered in the types of the driver. */
  rawQuery(text: string, values?: unknown[]): Promise<pg.QueryResult>;
};

export type Database = Queryable & {
  /** Runs `work` in one transaction: all of it happens, or nothing. */
  transaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    mode?: 'read write' | 'read only',
  ): Promise<Result>;
  /** Runs `work` on one connection without a transaction: for what belongs to a session or allows no transaction. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>;
  /** Cuts what still runs: its transaction is rolled back. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  /** How long a server may say nothing at all: 5 s more than a statement may take. */
  silentTimeoutMs?: number;
  onError?: (error: Error) => void;
};

/** Somebody else's server may live in another zone, and write dates and numbers in its own way. */
export const sessionOptions = '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=1';
const connectionTimeoutMs = 5_000;
const idleTimeoutMs = 60_000;
const maxWatchdogIntervalMs = 1_000;
const beginReadOnly = 'begin isolation level repeatable read read only';

export function openDatabase(connection: pg.PoolConfig, options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'motorpool',
    options: sessionOptions,
    max: options.poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
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
  const silentMs = options.silentTimeoutMs ?? options.statementTimeoutMs + 5_000;
  // One timer for all sessions rather than one per statement.
  const watchdog = setInterval(
    () => cutSilent(sessions.values(), silentMs),
    Math.min(silentMs, maxWatchdogIntervalMs),
  ).unref();

  const borrow = () =>
    new Promise<Session>((resolve, reject) => {
      pool.connect((error, client) => {
        const session = client && sessions.get(client);
        if (session) resolve(session);
        else reject(error ?? new Error('Connection terminated'));
      });
    });
  const once: OnSession = async (execute) => {
    const session = await borrow();
    try {
      return await execute(session);
    } catch (error) {
      if (breaksConnection(error)) session.broken ??= error as Error;
      throw error;
    } finally {
      session.client.release(session.broken);
    }
  };

  const statements = queryable(once);
  return {
    ...statements,
    lookup: batchLookups(statements.query),
    async transaction(work, mode = 'read write') {
      const session = await borrow();
      session.begin = mode === 'read only' ? beginReadOnly : 'begin';
      const end = async (text: 'commit' | 'rollback') => {
        if (session.begin === undefined) await session.execute({ text, values: [] });
      };
      try {
        const result = await work(queryable((execute) => execute(session)));
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
        session.begin = undefined;
        session.client.release(session.broken);
      }
    },
    async session(work) {
      const session = await borrow();
      try {
        return await work(queryable((execute) => execute(session)));
      } catch (error) {
        // What belongs to the session, such as a lock or a setting, ends with it.
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

/** After any other error of a statement the connection can be used again. */
function breaksConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isUnavailable(error);
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** Notices a server that vanished without closing its connections. */
function cutSilent(sessions: Iterable<Session>, limitMs: number): void {
  const latestStart = performance.now() - limitMs;
  for (const { startedAt, client } of sessions) {
    if (startedAt !== undefined && startedAt < latestStart)
      client.connection.stream.destroy(new Error('Query read timeout'));
  }
}

type OnSession = <Result>(execute: (session: Session) => Promise<Result>) => Promise<Result>;

function queryable(on: OnSession): Queryable {
  const query = <Row>(text: string, values: readonly unknown[] = []) =>
    on((session) => session.execute<Row>({ name: nameOf(text), text, values }));
  return {
    query,
    lookup: async <Row extends object>({ text }: Lookup, values: readonly unknown[]) =>
      (await query<Row>(text, values))[0],
    queryUnprepared: <Row>(text: string, values: readonly unknown[] = []) =>
      on((session) => session.execute<Row>({ text, values })),
    rawQuery: (text, values) => on((session) => session.rawQuery(text, values)),
  };
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}
