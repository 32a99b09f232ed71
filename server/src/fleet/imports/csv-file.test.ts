import { expect, test } from 'vitest';
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
