import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programFile } from '../testing/sandbox.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const hasTerminal =
  process.platform === 'linux' &&
  /util-linux/.test(spawnSync('script', ['--version']).output?.join(''));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Adds a user on a terminal, and types the keys of each prompt once it is shown. */
async function onTerminal(typed: [question: string, keys: string][]) {
  const command = `'${process.execPath}' '${programFile}' user add DE ABC terminal`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...database.env },
  });
  let shown = '';
  const left = [...typed];
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    if (left[0] && shown.endsWith(left[0][0])) child.stdin.write(left.shift()?.[1]);
  });
  const [code] = await once(child, 'close');
  return { code, shown: shown.replaceAll('\r', '') };
}

describe.skipIf(!hasTerminal)('on a terminal the password is asked for twice', () => {
  test('and Ctrl-C ends it without a word', async () => {
    expect(await onTerminal([['Password: ', '\x03']])).toEqual({
      code: 130,
      shown: 'Password: \n',
    });
  });

  test('and must be the same both times', async () => {
    const answered = await onTerminal([
      ['Password: ', 'correct horse battery\r'],
      ['Once more: ', 'correct horse bakery\r'],
    ]);
    expect(answered).toEqual({
      code: 1,
      shown: 'Password: \nOnce more: \nmotorpool: The two passwords differ.\n',
    });
  });

  test('and may be pasted with both lines at once, without being shown', async () => {
    const answered = await onTerminal([['Password: ', 'correct horse battery\r'.repeat(2)]]);
    expect(answered).toEqual({
      code: 0,
      shown: 'Password: \nOnce more: \nAdded terminal to DE-ABC.\n',
    });
  });
});
