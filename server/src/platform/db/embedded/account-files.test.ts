import {
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openAccountFile, readAccountFile, writeAccountFile } from './account-files.ts';

const isRoot = process.getuid?.() === 0;
const account = isRoot ? { uid: 65_534, gid: 65_534 } : undefined;
const folder = mkdtempSync(join(tmpdir(), 'motorpool-account-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'file');
const foreign = join(folder, 'foreign');
beforeEach(() => {
  rmSync(file, { force: true });
  writeFileSync(foreign, 'secret', { mode: 0o600 });
});

test('what is written is read, belongs to the account, and replaces what was there', () => {
  writeFileSync(file, 'before');
  writeAccountFile(file, 'after', account);
  expect(readAccountFile(file, account)).toBe('after');
  const { uid, mode } = statSync(file);
  expect([uid, mode & 0o777]).toEqual([account?.uid ?? process.getuid?.(), 0o600]);
});

test('a file is appended to, and made where there is none', () => {
  for (const text of ['one ', 'two']) {
    const fd = openAccountFile(file, account);
    writeSync(fd, text);
    closeSync(fd);
  }
  expect(readAccountFile(file, account)).toBe('one two');
});

describe('a link that leads elsewhere', () => {
  test.skipIf(!isRoot)('is neither read nor appended to by root', () => {
    symlinkSync(foreign, file);
    expect(() => readAccountFile(file, account)).toThrow(/ELOOP/);
    expect(() => openAccountFile(file, account)).toThrow(/ELOOP/);
  });

  test('is replaced by what is written, and its target stays as it was', () => {
    symlinkSync(foreign, file);
    writeAccountFile(file, 'after', account);
    expect(readFileSync(foreign, 'utf8')).toBe('secret');
    expect(statSync(foreign).uid).toBe(process.getuid?.());
    const missing = join(folder, 'missing');
    rmSync(file);
    symlinkSync(missing, file);
    writeAccountFile(file, 'after', account);
    expect(existsSync(missing)).toBe(false);
  });

  test.skipIf(!isRoot)('as a second name of a file of root, is neither read nor given away', () => {
    linkSync(foreign, file);
    expect(() => readAccountFile(file, account)).toThrow(/belongs to uid 0/);
    expect(() => openAccountFile(file, account)).toThrow(/belongs to uid 0/);
    expect(statSync(foreign).uid).toBe(0);
    rmSync(file);
  });
});

test.skipIf(!isRoot)('a file of another account is not read', () => {
  writeFileSync(file, 'of another');
  chownSync(file, 1, 1);
  expect(() => readAccountFile(file, account)).toThrow(/belongs to uid 1, /);
});

test('a folder is no file', () => {
  expect(() => readAccountFile(folder, undefined)).toThrow(/no regular file/);
});
