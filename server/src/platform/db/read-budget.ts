// Small enough that a piece of the largest rows is not much more than a budget.
export const rowsOfPiece = 100;

// Of the event loop, where it is received, parsed, sent and collected as garbage; the database has less to do.
const msOfMegabyte = 16;
// Of 64 KiB: records and small pages, which are many, are not counted.
const shortMs = 1;

/** The bytes that the statements of one response may read together. */
export class ReadBudget {
  readonly maxBytes: number;
  /** Whether the rows are requested in pieces; otherwise all are sent, which is faster, and those beyond are dropped. */
  readonly inPieces: boolean;
  /** Fewer in the first piece where a row may take the database long; the next ones have twice as many each. */
  readonly firstRows: number;
  usedBytes = 0;
  #takenMs = 0;

  constructor(maxBytes: number, { inPieces = true, firstRows = rowsOfPiece } = {}) {
    this.maxBytes = maxBytes;
    this.inPieces = inPieces;
    this.firstRows = firstRows;
  }

  /** How long it has taken to read them, roughly. */
  get usedMs(): number {
    return (this.usedBytes / 1_048_576) * msOfMegabyte;
  }

  /** What was used since it was last taken; 0 while it is short. */
  takeLongMs(): number {
    if (this.usedMs <= shortMs) return 0;
    const ms = this.usedMs - this.#takenMs;
    this.#takenMs = this.usedMs;
    return ms;
  }

  get isExceeded(): boolean {
    return this.usedBytes > this.maxBytes;
  }
}

/** A statement was ended, as it read more than the budget. */
export class ReadBudgetExceeded extends Error {
  override readonly name = 'ReadBudgetExceeded';
  readonly maxBytes: number;

  constructor({ maxBytes }: ReadBudget) {
    super(`More than ${maxBytes} bytes were read.`);
    this.maxBytes = maxBytes;
  }
}
