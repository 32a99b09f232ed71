import { createHash } from 'node:crypto';
import pg from 'pg';
import { Session } from './statement.ts';
import { askTogether, type Lookup } from './together.ts';

export type Queryable = {
  /** A statement whose text is one of a few: prepared once a connection. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The row of a lookup; outside of a transaction, in one go with whoever looks up the same. */
  one<Row extends object>(lookup: Lookup, values: readonly unknown[]): Promise<Row | undefined>;
  /** A statement whose text depends on the request: parsed each time, so that none piles up. */
  adHoc<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A statement of a library's own, answered in the types of the driver. */
  foreign(text: string, values?: unknown[]): Promise<pg.QueryResult>;
};

export type Database = Queryable & {
  /** Runs `work` in one transaction: all of it happens, or nothing. */
  transaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    mode?: 'read write' | 'read only',
  ): Promise<Result>;
  /** Runs `work` on one connection, outside of a transaction: for locks of a session. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>;
  /** Cuts what still runs: its transaction is taken back. */
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
const maxLookIntervalMs = 1_000;
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
  // One for all of them: a timer a statement costs 2 µs.
  const looking = setInterval(
    () => cutSilent(sessions.values(), silentMs),
    Math.min(silentMs, maxLookIntervalMs),
  ).unref();

  const borrow = () =>
    new Promise<Session>((resolve, reject) => {
      pool.connect((error, client) => {
        const session = client && sessions.get(client);
        if (session) resolve(session);
        else reject(error ?? new Error('Connection terminated'));
      });
    });
  /** On a connection that goes on only if nothing went wrong. */
  const once = async <Result>(ask: (session: Session) => Promise<Result>): Promise<Result> => {
    const session = await borrow();
    let failure: Error | undefined;
    try {
      return await ask(session);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      session.client.release(failure);
    }
  };

  const questions = queryable(once);
  return {
    ...questions,
    one: askTogether(questions.rows),
    async transaction(work, mode = 'read write') {
      const session = await borrow();
      session.begin = mode === 'read only' ? beginReadOnly : 'begin';
      const end = async (text: 'commit' | 'rollback') => {
        if (session.begin === undefined) await session.ask({ text, values: [] });
      };
      try {
        const result = await work(queryable((ask) => ask(session)));
        await end('commit');
        return result;
      } catch (error) {
        await end('rollback').catch((failure: Error) => {
          session.broken = failure;
        });
        throw error;
      } finally {
        session.begin = undefined;
        session.client.release(session.broken);
      }
    },
    session: (work) => once((session) => work(queryable((ask) => ask(session)))),
    close() {
      clearInterval(looking);
      closed ??= pool.end();
      for (const client of sessions.keys()) void client.end();
      return closed;
    },
  };
}
/** A server that vanished without a word is noticed, too. */
function cutSilent(sessions: Iterable<Session>, limitMs: number): void {
  const asked = performance.now() - limitMs;
  for (const { askedAt, client } of sessions) {
    if (askedAt !== undefined && askedAt < asked)
      client.connection.stream.destroy(new Error('Query read timeout'));
  }
}

type On = <Result>(ask: (session: Session) => Promise<Result>) => Promise<Result>;

function queryable(on: On): Queryable {
  const rows = <Row>(text: string, values: readonly unknown[] = []) =>
    on((session) => session.ask<Row>({ name: nameOf(text), text, values }));
  return {
    rows,
    one: async <Row extends object>({ text }: Lookup, values: readonly unknown[]) =>
      (await rows<Row>(text, values))[0],
    adHoc: <Row>(text: string, values: readonly unknown[] = []) =>
      on((session) => session.ask<Row>({ text, values })),
    foreign: (text, values) => on((session) => session.foreign(text, values)),
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
