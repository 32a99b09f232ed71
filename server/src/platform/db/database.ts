import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Actor } from './actor.ts';
import { batchLookups, type Lookup } from './lookup-batcher.ts';
import { Session } from './session.ts';
import { isSimpleQuery, type Query } from './statement.ts';
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
};

export type Database = Queryable & {
  /** Runs `work` in one transaction. */
  transaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    mode?: 'read write' | 'read only',
  ): Promise<Result>;
  /** Runs `work` on one connection without a transaction, for session state and what allows no transaction. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>;
  /** The same connections; the audit trail records what is written, except by `rawQuery`, as this actor's. */
  actingAs(actor: Actor): Database;
  /** Closes the connections, which rolls back what still runs. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  /** How long the server may not respond; by default somewhat longer than the statement timeout. */
  responseTimeoutMs?: number;
  onError?: (error: Error) => void;
};

/** An external server may have other defaults. */
export const sessionOptions = '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=1';
const connectionTimeoutMs = 5_000;
const idleTimeoutMs = 60_000;
const maxWatchdogIntervalMs = 1_000;
const setSessionActor = `select set_config('motorpool.actor', $1, false)`;
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

  const lookup = batchLookups(queryable(onPooledSession).query);
  const close = () => {
    clearInterval(watchdog);
    closed ??= pool.end();
    for (const client of sessions.keys()) void client.end();
    return closed;
  };

  const viewAs = (actor: string | undefined): Database => {
    const view: Database = {
      ...queryable(onPooledSession),
      lookup,
      async transaction(work, mode = 'read write') {
        const session = await acquire();
        session.pendingBegin = mode === 'read only' ? beginReadOnly : 'begin';
        if (mode !== 'read only') session.pendingActor = actor;
        const end = async (text: 'commit' | 'rollback') => {
          if (session.pendingBegin === undefined) await session.execute({ text, values: [] });
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
          session.pendingBegin = undefined;
          session.pendingActor = undefined;
          session.client.release(session.broken);
        }
      },
      async session(work) {
        const session = await acquire();
        const statements = queryable((execute) => execute(session));
        try {
          if (actor !== undefined) await statements.query(setSessionActor, [actor]);
          const result = await work(statements);
          if (actor !== undefined) await statements.query(setSessionActor, ['']);
          return result;
        } catch (error) {
          // Locks and settings of the session end with its connection.
          session.broken ??= error as Error;
          throw error;
        } finally {
          session.client.release(session.broken);
        }
      },
      actingAs: (other) => viewAs(JSON.stringify(other)),
      close,
    };
    return actor === undefined ? view : { ...view, ...recorded(view, actor) };
  };

  /** Single statements of an actor: the setting is sent before each, in one implicit transaction. */
  function recorded(view: Database, actor: string): Partial<Database> {
    const run = <Row>(query: Query) =>
      isSimpleQuery(query)
        ? view.transaction((tx) => tx.queryUnprepared<Row>(query.text))
        : onPooledSession(async (session) => {
            session.pendingActor = actor;
            try {
              return await session.execute<Row>(query);
            } finally {
              session.pendingActor = undefined;
            }
          });
    return {
      query: (text, values = []) => run({ name: statementName(text), text, values }),
      queryUnprepared: (text, values = []) => run({ text, values }),
    };
  }

  return viewAs(undefined);
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

function queryable(on: WithSession): Queryable {
  const query = <Row>(text: string, values: readonly unknown[] = []) =>
    on((session) => session.execute<Row>({ name: statementName(text), text, values }));
  return {
    query,
    lookup: async <Row extends object>({ text }: Lookup, values: readonly unknown[]) =>
      (await query<Row>(text, values))[0],
    queryUnprepared: <Row>(text: string, values: readonly unknown[] = []) =>
      on((session) => session.execute<Row>({ text, values })),
    rawQuery: (text, values) => on((session) => session.rawQuery(text, values)),
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
