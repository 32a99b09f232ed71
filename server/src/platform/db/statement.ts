import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import { propagateSettings, setLocalActor } from './actor.ts';
import { type ColumnParser, columnParser } from './column-types.ts';
import type { Pooler } from './pooler.ts';
import { type ReadBudget, ReadBudgetExceeded, rowsOfPiece } from './read-budget.ts';

/** Of the event loop; rows of so many bytes are parsed in one. */
const bytesOfTurn = 65_536;

export type Query = {
  /** With a name, prepared once per connection; without one, parsed each time. */
  name?: string | undefined;
  text: string;
  values: readonly unknown[];
  /** No more rows are read once they exceed it. */
  budget?: ReadBudget | undefined;
};

/** Without a name and values a query may have several statements, and is not prepared. */
export function isSimpleQuery({ name, values, budget }: Query): boolean {
  return name === undefined && values.length === 0 && budget === undefined;
}

/** What the statements of a connection share. */
export type ConnectionState = {
  /** Whether the tables are distributed over workers. */
  readonly isSharded: boolean;
  /** The row shapes of the statements that are prepared. */
  readonly prepared: Map<string, RowShape>;
  /** Where one is between this connection and the server. */
  readonly pooler: Pooler | undefined;
  /** A BEGIN that is sent together with the transaction's first statement, which saves a round trip. */
  pendingBegin: string | undefined;
  /** A statement timeout for the transaction that begins, or for one statement, sent along in the same way. */
  pendingTimeoutMs: number | undefined;
  /** The actor of the transaction that begins, or of one statement, sent along in the same way. */
  pendingActor: string | undefined;
  /** Start of the statement that is running. */
  startedAt: number | undefined;
};

export type RowShape = { names: string[]; parsers: ColumnParser[]; emptyRow: object };

/**
 * Replaces the driver's `pg.Query`, which describes the columns with every execution. Uses internals of `pg`, whose
 * version is therefore pinned: docs/decisions/0025-hot-path.md.
 */
export class Statement<Row> implements pg.Submittable {
  readonly #state: ConnectionState;
  readonly #query: Query;
  readonly #resolve: (rows: Row[]) => void;
  readonly #reject: (error: Error) => void;
  readonly #rows: Row[] = [];
  #shape: RowShape = noColumns;
  #error: Error | undefined;
  #limitsTime = false;
  #setsActor = false;
  /** Commands that were sent along, before the statement. */
  #commandsBefore = 0;
  #rowsOfPiece: number;
  readonly #usedBefore: number;
  /** Whether what was sent in pieces still lacks the Sync that ends it. */
  #lacksSync = false;

  constructor(
    state: ConnectionState,
    query: Query,
    resolve: (rows: Row[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#state = state;
    const mayPrepare = state.pooler?.mayPrepare(query.name) ?? true;
    this.#query = mayPrepare ? query : { ...query, name: undefined };
    this.#resolve = resolve;
    this.#reject = reject;
    this.#usedBefore = query.budget?.usedBytes ?? 0;
    this.#rowsOfPiece = query.budget?.firstRows ?? rowsOfPiece;
  }

  submit(connection: pg.Connection): Error | null {
    const state = this.#state;
    const { name, text, values } = this.#query;
    state.startedAt = performance.now();
    const timeoutMs = state.pendingTimeoutMs;
    const actor = state.pendingActor;
    const isAlone =
      state.pendingBegin === undefined && timeoutMs === undefined && actor === undefined;
    if (isAlone && isSimpleQuery(this.#query)) {
      connection.query(text);
      return null;
    }
    let encoded: EncodedValue[];
    try {
      encoded = values.map(utils.prepareValue);
    } catch (error) {
      return error as Error;
    }
    connection.stream.cork();
    if (state.pendingBegin !== undefined) {
      parse(connection, '', state.pendingBegin);
      execute(connection, '', []);
      state.pendingBegin = undefined;
      this.#commandsBefore += 1;
      if (state.isSharded && state.pooler) {
        parse(connection, '', propagateSettings);
        execute(connection, '', []);
        this.#commandsBefore += 1;
      }
    }
    if (timeoutMs !== undefined) {
      this.#limitsTime = true;
      if (!state.prepared.has(limitTime.name)) parse(connection, limitTime.name, limitTime.text);
      execute(connection, limitTime.name, [String(timeoutMs)]);
      state.pendingTimeoutMs = undefined;
      this.#commandsBefore += 1;
    }
    if (actor !== undefined && state.isSharded) {
      parse(connection, '', setLocalActor(actor));
      execute(connection, '', []);
      state.pendingActor = undefined;
      this.#commandsBefore += 1;
    } else if (actor !== undefined) {
      this.#setsActor = true;
      if (!state.prepared.has(setActor.name)) parse(connection, setActor.name, setActor.text);
      execute(connection, setActor.name, [actor]);
      state.pendingActor = undefined;
      this.#commandsBefore += 1;
    }
    const shape = name === undefined ? undefined : state.prepared.get(name);
    if (shape) this.#shape = shape;
    else parse(connection, name ?? '', text);
    // Behind a pooler, the session that executes it may have prepared it after a migration.
    bind(connection, name ?? '', encoded, shape === undefined || state.pooler !== undefined);
    if (this.#query.budget?.inPieces) this.#executePiece(connection);
    else {
      connection.execute(null, true);
      connection.sync();
    }
    connection.stream.uncork();
    return null;
  }

  #executePiece(connection: pg.Connection): void {
    connection.execute({ rows: String(this.#rowsOfPiece) }, true);
    connection.flush();
    this.#lacksSync = true;
  }

  /** Otherwise a hundred thousand small rows would take a thousand round trips. No more than may fit, but one. */
  #enlargePiece(budget: ReadBudget): void {
    const bytesOfRow = Math.max(1, budget.usedBytes - this.#usedBefore) / this.#rows.length;
    const rowsOfTurn = bytesOfTurn / bytesOfRow;
    const rowsLeft = (budget.maxBytes - budget.usedBytes) / bytesOfRow + 1;
    this.#rowsOfPiece = Math.floor(
      Math.min(2 * this.#rowsOfPiece, Math.max(rowsOfPiece, rowsOfTurn), rowsLeft),
    );
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => columnParser(dataTypeID)),
      emptyRow: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ length, fields }: { length: number; fields: (string | null)[] }): void {
    const { budget } = this.#query;
    if (budget) {
      budget.usedBytes += length;
      if (budget.isExceeded) {
        this.#rows.length = 0;
        return;
      }
    }
    const { names, parsers, emptyRow } = this.#shape;
    const row: Record<string, unknown> = { ...emptyRow };
    try {
      for (let index = 0; index < fields.length; index++) {
        const text = fields[index];
        if (text != null) row[names[index] as string] = parsers[index]?.(text);
      }
    } catch (error) {
      this.#error = error as Error;
    }
    this.#rows.push(row as Row);
  }

  handlePortalSuspended(connection: pg.Connection): void {
    const { budget } = this.#query;
    if (!budget || budget.isExceeded) this.#sync(connection);
    else {
      this.#enlargePiece(budget);
      this.#executePiece(connection);
    }
  }

  handleCommandComplete(_message: unknown, connection: pg.Connection): void {
    if (!this.#query.budget?.inPieces) return;
    if (this.#commandsBefore > 0) this.#commandsBefore -= 1;
    else this.#sync(connection);
  }

  /**
   * Once: the server answers each, and would end the next statement of the connection with the second one. A timeout
   * can follow the piece after which the statement was ended.
   */
  #sync(connection: pg.Connection): void {
    if (!this.#lacksSync) return;
    this.#lacksSync = false;
    connection.sync();
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    const { name } = this.#query;
    if (name !== undefined) this.#state.prepared.set(name, this.#shape);
    if (this.#limitsTime) this.#state.prepared.set(limitTime.name, noColumns);
    if (this.#setsActor) this.#state.prepared.set(setActor.name, noColumns);
    this.#state.startedAt = undefined;
    const { budget } = this.#query;
    if (budget?.isExceeded) this.#error ??= new ReadBudgetExceeded(budget);
    if (this.#error) this.#reject(this.#error);
    else this.#resolve(this.#rows);
  }

  handleError(error: Error, connection: pg.Connection): void {
    this.#sync(connection);
    this.#state.pooler?.rejectStalePlan(this.#query.name, error);
    // Parsed again next time: the cached plan may have failed, such as after a migration.
    if (this.#query.name !== undefined) this.#state.prepared.delete(this.#query.name);
    if (this.#limitsTime) this.#state.prepared.delete(limitTime.name);
    if (this.#setsActor) this.#state.prepared.delete(setActor.name);
    this.#state.startedAt = undefined;
    this.#reject(error);
  }
}

// Until the end of the transaction, be it the one of this statement alone; without a row, which nobody would read.
const limitTime = {
  name: 'set_statement_timeout',
  text: `select where set_config('statement_timeout', $1, true) is null`,
};

export const setActor = {
  name: 'set_actor',
  text: `select where set_config('motorpool.actor', $1, true) is null`,
};

const noColumns: RowShape = { names: [], parsers: [], emptyRow: {} };

type EncodedValue = string | Buffer | null;

function parse(connection: pg.Connection, name: string, text: string): void {
  // It exists already if it was parsed and then failed; closing a missing statement is no error.
  if (name !== '') connection.close({ type: 'S', name }, true);
  connection.parse({ name, text, types: [] }, true);
}

function execute(connection: pg.Connection, statement: string, values: EncodedValue[]): void {
  bind(connection, statement, values);
  connection.execute(null, true);
}

function bind(
  connection: pg.Connection,
  statement: string,
  values: EncodedValue[],
  describe = false,
): void {
  connection.bind({ statement, values }, true);
  if (describe) connection.describe({ type: 'P', name: '' }, true);
}
