import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { UserError } from '../platform/user-error.ts';

export type CsvFile = { path: string; size: number; start: number; delimiter: string };

export type CsvRecord = {
  /** The line on which it starts. */
  line: number;
  /** A cell that is not valid UTF-8 is undefined. */
  cells: (string | undefined)[];
  bytesRead: number;
};

const headerBytes = 65_536;
// Bounds the memory when a quote is never closed.
const maxRecordBytes = 1_000_000;

/** The delimiter is the most frequent separator of the header. */
export async function inspectCsv(path: string): Promise<CsvFile> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
      const head = buffer.toString('latin1', 0, bytesRead);
      if (/^(ÿþ|þÿ)/.test(head)) throw new Error('it is UTF-16; save it as UTF-8');
      const [header = ''] = head.split('\n', 1);
      const count = (separator: string) => header.split(separator).length;
      const delimiter = [',', ';', '\t'].reduce((best, one) =>
        count(one) > count(best) ? one : best,
      );
      return { path, size, start: head.startsWith('ï»¿') ? 3 : 0, delimiter };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new UserError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

/** Streams the records in constant memory; skips empty lines. */
export async function* readCsv(file: CsvFile, signal: AbortSignal): AsyncGenerator<CsvRecord> {
  const source = createReadStream(file.path, { start: file.start, signal });
  const records = parse({
    // As bytes: the parser would silently replace invalid UTF-8.
    encoding: 'latin1',
    delimiter: file.delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  });
  pipeline(source, records, () => {});
  let line = 1;
  let emptyBefore = 0;
  try {
    for await (const { record, info } of records as AsyncIterable<{
      record: string[];
      info: { empty_lines: number };
    }>) {
      line += info.empty_lines - emptyBefore;
      emptyBefore = info.empty_lines;
      yield { line, cells: record.map(decode), bytesRead: source.bytesRead };
      line += 1 + countLineBreaks(record);
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('CSV_'))
      throw new UserError(`${file.path}: ${(error as Error).message}`);
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
