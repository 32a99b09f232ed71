import { setImmediate } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { longWork } from '../pace.ts';
import { encodeText } from './encode-text.ts';
import { answerTooLarge } from './problem.ts';

/** Of the answer of a list or a search. */
export const maxAnswerBytes = 16 * 1_048_576;

/** Of an array that the bytes of the answer alone bound: no element is shorter than 17 bytes. */
export const maxAnswerItems = 1_000_000;

const pieceLength = 65_536;
/** Rows that are held until they are serialized. */
const largeRowsBytes = 65_536;

/** The parts of what ends in an array. */
export function arrayParts<Row>(
  before: string,
  rows: Iterable<Row>,
  itemOf: (row: Row) => unknown,
  after: string,
): Generator<string> {
  return enclose(before, serializeEach(rows, itemOf), after);
}

function* serializeEach<Row>(rows: Iterable<Row>, itemOf: (row: Row) => unknown) {
  for (const row of rows) yield JSON.stringify(itemOf(row));
}

/** `before` and `after` go with the first and the last part. */
export function* enclose(
  before: string,
  parts: Iterable<string>,
  after: string,
): Generator<string> {
  let held: string | undefined;
  for (const part of parts) {
    if (held !== undefined) yield held;
    held = held === undefined ? before + part : part;
  }
  yield (held ?? before) + after;
}

/** A body with many parts, which is serialized in pieces (docs/decisions/0028-bounds.md). */
export class LargeJson {
  readonly #before: string;
  readonly #parts: Iterable<string>;
  readonly #after: string;
  readonly #readBytes: number;
  #release = () => {};

  /**
   * The parts are separated by commas; each is serialized when it is taken, and encoded in pieces where it is large. They
   * are made of rows of so many bytes.
   */
  constructor(before: string, parts: Iterable<string>, after: string, readBytes = 0) {
    this.#before = before;
    this.#parts = parts;
    this.#after = after;
    this.#readBytes = readBytes;
  }

  /** Large rows count as a statement of their tenant until they are serialized. */
  holdRows(db: Pick<Database, 'hold'>): void {
    if (this.#readBytes > largeRowsBytes) this.#release = db.hold();
  }

  /**
   * Other requests are served between pieces; 422 when they exceed the limit. For a tenant it is long work, with its pauses;
   * there are none where a connection to the database is held.
   */
  async serialize(tenant?: string, maxBytes = maxAnswerBytes): Promise<Buffer[]> {
    try {
      return await this.#serialize(tenant, maxBytes);
    } finally {
      this.#release();
    }
  }

  async #serialize(tenant: string | undefined, maxBytes: number): Promise<Buffer[]> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const add = (text: string) => {
      const piece = encodeText(text);
      bytes += piece.length;
      if (bytes > maxBytes) throw answerTooLarge(maxBytes);
      pieces.push(piece);
    };
    const endSlice = tenant === undefined ? setImmediate : longWork.begin(tenant);
    let text = this.#before;
    let isFirst = true;
    for (const part of this.#parts) {
      if (!isFirst) text += ',';
      isFirst = false;
      for (let from = 0; from < part.length; ) {
        const end = endOfPiece(part, from);
        text += part.slice(from, end);
        from = end;
        if (text.length < pieceLength) continue;
        add(text);
        text = '';
        await endSlice();
      }
    }
    add(text + this.#after);
    await endSlice();
    return pieces;
  }
}

/** Not between the two halves of a character. */
function endOfPiece(text: string, from: number): number {
  const end = from + pieceLength;
  return end < text.length && text.charCodeAt(end) >> 10 === lowSurrogates ? end + 1 : end;
}

const lowSurrogates = 0xdc00 >> 10;
