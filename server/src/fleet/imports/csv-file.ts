import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { UserError } from '../../platform/user-error.ts';

export type CsvFile = {
  /** What messages call it. */
  name: string;
  size: number;
  delimiter: string;
  /** Beyond the header; a file with more is refused by whoever reads it. */
  maxLines?: number;
  /** From the first line on. */
  open(signal: AbortSignal): Readable & { bytesRead?: number };
};

export type CsvRecord = {
  /** The line on which it starts. */
  line: number;
  /** A cell that is not valid UTF-8 is undefined. */
  cells: (string | undefined)[];
  bytesRead: number;
};

const headerBytes = 65_536;
const pieceBytes = 4_096;
// Short records and cells take longer than their bytes tell, the more so when each cell is a fault.
const pieceLines = 40;
const pieceCells = 400;
// Bounds the memory when a quote is never closed.
const maxRecordBytes = 1_000_000;
// Empty cells have no bytes.
const maxCells = 500;
// Of all lines: spreadsheets end lines with a few delimiters. They are read before it is told that no column has them.
const maxSurplusCells = 100_000;

export async function inspectCsv(path: string): Promise<CsvFile> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
      const { start, delimiter } = formOf(buffer.subarray(0, bytesRead));
      return {
        name: path,
        size,
        delimiter,
        open: (signal) => createReadStream(path, { start, signal }),
      };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new UserError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

/** A file that was sent. */
export function csvOfBytes(bytes: Buffer, bounds: Pick<CsvFile, 'maxLines'> = {}): CsvFile {
  try {
    const { start, delimiter } = formOf(bytes.subarray(0, headerBytes));
    return {
      name: 'The file',
      size: bytes.length,
      delimiter,
      ...bounds,
      open: (signal) =>
        Readable.from(piecesOf(bytes.subarray(start), delimiter), { signal, objectMode: false }),
    };
  } catch (error) {
    throw new UserError(`The file cannot be read: ${(error as Error).message}`);
  }
}

/** The parser parses a piece at once; other requests are served in between. */
async function* piecesOf(bytes: Buffer, delimiter: string): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const piece = fewCellsOf(bytes.subarray(start, start + pieceBytes), delimiter.charCodeAt(0));
    start += piece.length;
    yield piece;
    await setImmediate();
  }
}

function fewCellsOf(bytes: Buffer, delimiter: number): Buffer {
  let [lines, cells] = [0, 0];
  const end = bytes.findIndex((byte) => {
    const endsLine = isLineBreak(byte);
    if (endsLine) lines += 1;
    if (endsLine || byte === delimiter) cells += 1;
    return lines === pieceLines || cells === pieceCells;
  });
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

function isLineBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

/** The delimiter is the most frequent separator of the header. */
function formOf(bytes: Buffer): { start: number; delimiter: string } {
  const head = bytes.toString('latin1');
  if (/^(ÿþ|þÿ)/.test(head)) throw new Error('it is UTF-16; save it as UTF-8');
  const [header = ''] = head.split('\n', 1);
  const count = (separator: string) => header.split(separator).length;
  const delimiter = [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
  return { start: head.startsWith('ï»¿') ? 3 : 0, delimiter };
}

/** Streams the records in constant memory; skips empty lines. */
export async function* readCsv(file: CsvFile, signal: AbortSignal): AsyncGenerator<CsvRecord> {
  const { maxLines = Number.POSITIVE_INFINITY } = file;
  const source = file.open(signal);
  let columns = 0;
  let surplusCells = 0;
  const records = parse({
    // As bytes: the parser would silently replace invalid UTF-8.
    encoding: 'latin1',
    delimiter: file.delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    cast: (cell, { index, lines, records: before }) => {
      if (index >= maxCells)
        throw new UserError(`${file.name}: line ${lines} has more than ${maxCells} cells.`);
      if (before === 0) columns = index + 1;
      else if (index >= columns && ++surplusCells > maxSurplusCells)
        throw new UserError(`${file.name}: too many cells have no column in the header.`);
      return cell;
    },
  });
  pipeline(source, records, () => {});
  let line = 1;
  let count = -1;
  let emptyBefore = 0;
  try {
    for await (const { record, info } of records as AsyncIterable<{
      record: string[];
      info: { empty_lines: number };
    }>) {
      line += info.empty_lines - emptyBefore;
      emptyBefore = info.empty_lines;
      if (++count > maxLines)
        throw new UserError(`${file.name} has more than ${maxLines} lines: import it in parts.`);
      yield { line, cells: record.map(decode), bytesRead: source.bytesRead ?? 0 };
      line += 1 + countLineBreaks(record);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UserError(`${file.name}: ${error.message}`);
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(cell: string): string | undefined {
  if (!/[\x80-\xff]/.test(cell)) return cell;
  try {
    return utf8.decode(Buffer.from(cell, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The parser counts a quoted CRLF as two lines. */
function countLineBreaks(cells: string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) breaks += 1;
  }
  return breaks;
}
