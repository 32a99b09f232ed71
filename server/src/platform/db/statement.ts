import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import { type ColumnReader, columnReader } from './column-types.ts';

export type Query = {
  /** With a name it is prepared once a connection; without one it is parsed each time. */
  name?: string;
  text: string;
  /** Without any, and without a name, the text may be several statements. */
  values: readonly unknown[];
};

/** One connection, and what is known of it. */
export class Session {
  readonly client: pg.PoolClient;
  /** The statements that are prepared on it, and how their rows are read. */
  readonly prepared = new Map<string, Shape>();
  /** Begins the transaction in one go with its first statement, which saves a round trip. */
  begin: string | undefined;
  /** Since when an answer is awaited. */
  startedAt: number | undefined;
  broken: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.client = client;
    client.on('error', (error) => {
      this.broken = error;
    });
  }

  async execute<Row>(query: Query): Promise<Row[]> {
    if (this.begin !== undefined && isPlain(query)) await this.#beginAlone();
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        this.client.query(new Statement(this, query, resolve, reject));
      });
    } catch (error) {
      // From here on it leads to whoever asked, not to the socket.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  }

  /** Asks as the driver does, in its types. */
  async rawQuery(text: string, values: unknown[] | undefined): Promise<pg.QueryResult> {
    if (this.begin !== undefined) await this.#beginAlone();
    this.startedAt = performance.now();
    try {
      return await this.client.query({ text, values });
    } finally {
      this.startedAt = undefined;
    }
  }

  async #beginAlone(): Promise<void> {
    const text = this.begin ?? '';
    this.begin = undefined;
    await this.execute({ text, values: [] });
  }
}

function isPlain({ name, values }: Query): boolean {
  return name === undefined && values.length === 0;
}

type Shape = { names: string[]; readers: ColumnReader[]; empty: object };

/**
 * A statement on its way. The driver's own has the columns described with every answer: the row of a
 * vehicle takes 0.13 ms of processor time with it, and 0.07 ms here.
 */
class Statement<Row> implements pg.Submittable {
  readonly #session: Session;
  readonly #query: Query;
  readonly #resolve: (rows: Row[]) => void;
  readonly #reject: (error: Error) => void;
  readonly #rows: Row[] = [];
  #shape: Shape = noColumns;
  #fault: Error | undefined;

  constructor(
    session: Session,
    query: Query,
    resolve: (rows: Row[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#session = session;
    this.#query = query;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): Error | null {
    const session = this.#session;
    const { name, text, values } = this.#query;
    session.startedAt = performance.now();
    if (isPlain(this.#query)) {
      connection.query(text);
      return null;
    }
    let written: WireValue[];
    try {
      written = values.map(utils.prepareValue);
    } catch (error) {
      return error as Error;
    }
    connection.stream.cork();
    if (session.begin !== undefined) {
      parse(connection, '', session.begin);
      execute(connection, '', []);
      session.begin = undefined;
    }
    const shape = name === undefined ? undefined : session.prepared.get(name);
    if (shape) this.#shape = shape;
    else parse(connection, name ?? '', text);
    execute(connection, name ?? '', written, shape === undefined);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#shape = {
      names: fields.map(({ name }) => name),
      readers: fields.map(({ dataTypeID }) => columnReader(dataTypeID)),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, readers, empty } = this.#shape;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let index = 0; index < fields.length; index++) {
        const text = fields[index];
        if (text != null) row[names[index] as string] = readers[index]?.(text);
      }
    } catch (error) {
      this.#fault = error as Error;
    }
    this.#rows.push(row as Row);
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    const { name } = this.#query;
    if (name !== undefined) this.#session.prepared.set(name, this.#shape);
    this.#session.startedAt = undefined;
    if (this.#fault) this.#reject(this.#fault);
    else this.#resolve(this.#rows);
  }

  handleError(error: Error): void {
    // It is parsed anew next time: the plan may be what failed, such as after a migration.
    if (this.#query.name !== undefined) this.#session.prepared.delete(this.#query.name);
    this.#session.startedAt = undefined;
    this.#reject(error);
  }
}

const noColumns: Shape = { names: [], readers: [], empty: {} };

type WireValue = string | Buffer | null;

function parse(connection: pg.Connection, name: string, text: string): void {
  // It is there already when it was parsed and then failed; to close what is not there is no fault.
  if (name !== '') connection.close({ type: 'S', name }, true);
  connection.parse({ name, text, types: [] }, true);
}

function execute(
  connection: pg.Connection,
  statement: string,
  values: WireValue[],
  describe = false,
): void {
  connection.bind({ statement, values }, true);
  if (describe) connection.describe({ type: 'P', name: '' }, true);
  connection.execute(null, true);
}
