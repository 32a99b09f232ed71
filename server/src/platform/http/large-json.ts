import { setImmediate } from 'node:timers/promises';
import { answerTooLarge } from './problem.ts';

/** Of the answer of a list or a search. */
export const maxAnswerBytes = 16 * 1_048_576;

/** Of an array that the bytes of the answer alone bound: no element is shorter than 17 bytes. */
export const maxAnswerItems = 1_000_000;

const pieceBytes = 65_536;

/** The parts of what ends in an array: `before` and `after` go with its first and its last element. */
export function* arrayParts<Row>(
  before: string,
  rows: readonly Row[],
  itemOf: (row: Row) => unknown,
  after: string,
): Generator<string> {
  if (rows.length === 0) yield before + after;
  for (const [index, row] of rows.entries()) {
    const isLast = index === rows.length - 1;
    yield `${index === 0 ? before : ''}${JSON.stringify(itemOf(row))}${isLast ? after : ''}`;
  }
}

/** A body with many parts, which is serialized in pieces (docs/decisions/0028-bounds.md). */
export class LargeJson {
  readonly #before: string;
  readonly #parts: Iterable<string>;
  readonly #after: string;

  /** The parts are separated by commas; each is serialized when it is taken. */
  constructor(before: string, parts: Iterable<string>, after: string) {
    this.#before = before;
    this.#parts = parts;
    this.#after = after;
  }

  /** Other requests are served between pieces; 422 when they exceed the limit. */
  async serialize(maxBytes = maxAnswerBytes): Promise<Buffer[]> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const add = (text: string) => {
      const piece = Buffer.from(text);
      bytes += piece.length;
      if (bytes > maxBytes) throw answerTooLarge(maxBytes);
      pieces.push(piece);
    };
    let text = this.#before;
    let isFirst = true;
    for (const part of this.#parts) {
      text += isFirst ? part : `,${part}`;
      isFirst = false;
      if (text.length < pieceBytes) continue;
      add(text);
      text = '';
      await setImmediate();
    }
    add(text + this.#after);
    return pieces;
  }
}
