import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeOutputFile } from './output-file.ts';

const stranger = 65_534;
const isRoot = process.getuid?.() === 0;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-file-'));
  file = join(folder, 'out');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (options = {}) =>
  writeOutputFile(file, (output) => pipeline(Readable.from(['whole']), output), options);

test('a pipe of ours is written as it is', async () => {
  spawnSync('mkfifo', [file]);
  const reader = spawn('cat', [file]);
  const [received] = await Promise.all([text(reader.stdout), write()]);
  expect(received).toBe('whole');
  expect(statSync(file).isFIFO()).toBe(true);
});

test('a link that leads nowhere is replaced', async () => {
  symlinkSync(join(folder, 'none'), file);
  await write();
  expect(readFileSync(file, 'utf8')).toBe('whole');
});

test('the mode of the file before is kept where it is asked for', async () => {
  for (const [keepsMode, mode] of [
    [true, 0o640],
    [false, 0o600],
  ] as const) {
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    await write({ keepsMode });
    expect(statSync(file).mode & 0o777).toBe(mode);
  }
});

describe.runIf(isRoot)('of another account', () => {
  test('a link is refused, and what it names stays', async () => {
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'precious');
    symlinkSync(precious, file);
    lchownSync(file, stranger, stranger);
    await expect(write()).rejects.toThrow(/^Cannot write .*\/out: it is a link, .*another account/);
    expect(readFileSync(precious, 'utf8')).toBe('precious');
  });

  test('a pipe is refused, and its reader gets nothing', async () => {
    spawnSync('mkfifo', ['-m', '666', file]);
    chownSync(file, stranger, stranger);
    const reader = spawn('cat', [file]);
    const received = text(reader.stdout);
    await expect(write()).rejects.toThrow(/another account/);
    await once(reader, 'close');
    expect(await received).toBe('');
  });

  test('a file is replaced, and its mode is not kept', async () => {
    writeFileSync(file, '', { mode: 0o666 });
    chownSync(file, stranger, stranger);
    await write({ keepsMode: true });
    expect(readFileSync(file, 'utf8')).toBe('whole');
    const { uid, mode } = statSync(file);
    expect([uid, mode & 0o777]).toEqual([0, 0o600]);
  });
});
