import { expect, test } from 'vitest';
import { UserError } from '../../platform/user-error.ts';
import { csvOfBytes, readCsv } from './csv-file.ts';

test('a file that was sent is parsed in pieces, between which other requests are served', async () => {
  const lines = 2_000;
  const file = csvOfBytes(
    Buffer.from(`asset.id,information.model\n${'DE*ABC*V1,Golf\n'.repeat(lines)}`),
  );
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const turnsByRecord: number[] = [];
  for await (const _record of readCsv(file, new AbortController().signal))
    turnsByRecord.push(turns);
  clearImmediate(immediate);
  expect(turnsByRecord).toHaveLength(lines + 1);
  expect(new Set(turnsByRecord).size).toBeGreaterThan(1);
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
