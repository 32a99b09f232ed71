import { createHash } from 'node:crypto';
import pg from 'pg';

export type Queryable = {
  /** A statement whose text is one of a few: prepared once a connection. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
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
  /** Cuts what still runs: its transaction is taken back. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  onError?: (error: Error) => void;
};

const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins;
const parsers = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [DATE, (text) => text],
  [TIMESTAMPTZ, (text) => new Date(isoForm(text)).toISOString()],
]);
/** In any other form, a year below 100 is read as one of the last century. */
function isoForm(text: string): string {
  return text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00');
}

const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function openDatabase(connection: pg.PoolConfig, options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    application_name: 'motorpool',
    // Somebody else's server may live in another zone; time stamps are read as UTC.
    options: '-c timezone=UTC',
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    // A server that vanished without a word is noticed, too.
    query_timeout: options.statementTimeoutMs + 5_000,
    keepAlive: true,
  });
  pool.on('error', (error) => options.onError?.(error));
  const open = new Set<pg.PoolClient>();
  let closed: Promise<void> | undefined;
  pool.on('connect', (client) => {
    if (closed) void client.end();
    else open.add(client);
  });
  pool.on('remove', (client) => open.delete(client));

  return {
    ...queryable(pool),
    async transaction(work, mode = 'read write') {
      const client = await pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      client.on('error', onError);
      try {
        await client.query(
          mode === 'read only' ? 'begin isolation level repeatable read read only' : 'begin',
        );
        const result = await work(queryable(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    close() {
      closed ??= pool.end();
      for (const client of open) void client.end();
      return closed;
    },
  };
}

function queryable(target: pg.Pool | pg.PoolClient): Queryable {
  return {
    async rows<Row>(text: string, values: readonly unknown[] = []) {
      const result = await target.query({ name: nameOf(text), text, values: [...values] });
      return result.rows as Row[];
    },
    async adHoc<Row>(text: string, values: readonly unknown[] = []) {
      const result = await target.query(text, [...values]);
      return result.rows as Row[];
    },
    foreign: (text, values) => target.query({ text, values, types: pg.types }),
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
