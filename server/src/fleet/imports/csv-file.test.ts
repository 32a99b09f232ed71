import { expect, test } from 'vitest';
import { UserError } from '../../platform/user-error.ts';
import { csvOfBytes, readCsv } from './csv-file.ts';

test.each([
  ['long lines', 'DE*ABC*V1,Golf\n', 1_000],
  ['short lines', 'a\n', 1_000],
  ['many cells', `${'x;'.repeat(36)}x\n`, 100],
])(
  'a file of %s that was sent is parsed in pieces, between which other requests are served',
  async (_content, line, maxLines) => {
    const lines = 4_000;
    const file = csvOfBytes(Buffer.from(line.repeat(lines)));
    let turn = 0;
    const count = () => {
      turn += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const recordsByTurn = new Map<number, number>();
    for await (const _record of readCsv(file, new AbortController().signal))
      recordsByTurn.set(turn, (recordsByTurn.get(turn) ?? 0) + 1);
    clearImmediate(immediate);
    const records = [...recordsByTurn.values()];
    expect(records.reduce((sum, one) => sum + one)).toBe(lines);
    expect(Math.max(...records)).toBeLessThan(maxLines);
  },
);

test('a file with more lines than it may have is refused, and the rest is not read', async () => {
  const file = csvOfBytes(Buffer.from(`asset.id\n\n${'a\n'.repeat(500_000)}`), { maxLines: 1_000 });
  let [bytesRead, records] = [0, 0];
  const open = (signal: AbortSignal) =>
    file.open(signal).on('data', (piece: Buffer) => {
      bytesRead += piece.length;
    });
  const read = async () => {
    for await (const _record of readCsv({ ...file, open }, new AbortController().signal))
      records += 1;
  };
  await expect(read()).rejects.toThrow(
    new UserError('The file has more than 1000 lines: import it in parts.'),
  );
  expect(records).toBe(1_001);
  expect(bytesRead).toBeLessThan(50_000);
});

test('of cells without a column a bounded number is read, and those that spreadsheets add are none too many', async () => {
  const linesOf = async (csv: string) => {
    let lines = 0;
    const file = csvOfBytes(Buffer.from(csv));
    for await (const _record of readCsv(file, new AbortController().signal)) lines += 1;
    return lines;
  };
  const line = 'DE*ABC*V1,Golf';
  expect(await linesOf(`asset.id,information.model\n${`${line},,,,\n`.repeat(10_000)}`)).toBe(
    10_001,
  );
  await expect(linesOf(`asset.id\n${`x${','.repeat(480)}\n`.repeat(9_900)}`)).rejects.toThrow(
    new UserError('The file: too many cells have no column in the header.'),
  );
  const wide = `${'a,'.repeat(40)}a\n`;
  expect(await linesOf(wide.repeat(5_000))).toBe(5_000);
});

test('a record has at most 500 cells; of a longer one, the rest is not read', async () => {
  let bytesRead = 0;
  const cellsOf = async (csv: string) => {
    const file = csvOfBytes(Buffer.from(csv));
    const open = (signal: AbortSignal) =>
      file.open(signal).on('data', (piece: Buffer) => {
        bytesRead += piece.length;
      });
    const cells: number[] = [];
    for await (const record of readCsv({ ...file, open }, new AbortController().signal))
      cells.push(record.cells.length);
    return cells;
  };
  expect(await cellsOf(`asset.id\n${','.repeat(499)}\n`)).toEqual([1, 500]);
  bytesRead = 0;
  await expect(cellsOf(`asset.id\n${','.repeat(1_000_000)}`)).rejects.toThrow(
    new UserError('The file: line 2 has more than 500 cells.'),
  );
  expect(bytesRead).toBeLessThan(500_000);
});
