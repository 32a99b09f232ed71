import { execFileSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchedLogWriter } from './batched-log-writer.ts';

test('the lines of a turn are written at once, in their order', async () => {
  const written: string[] = [];
  const writer = batchedLogWriter((text) => written.push(text));
  writer.write('a\n');
  await Promise.resolve();
  writer.write('b\n');
  expect(written).toEqual([]);
  await nextTurn();
  writer.write('c\n');
  await nextTurn();
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test.each(['process.exit()', 'throw new Error()'])('%s loses no line', (end) => {
  const module = JSON.stringify(new URL('./batched-log-writer.ts', import.meta.url));
  const program = `
    import { writeSync } from 'node:fs';
    import { batchedLogWriter } from ${module};
    process.on('uncaughtException', () => process.exit());
    batchedLogWriter((text) => writeSync(1, text)).write('last');
    ${end};`;
  const args = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('last');
});
