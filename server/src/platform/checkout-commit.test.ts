import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutCommit } from './checkout-commit.ts';

let folder: string;
let checkout: string;
let commit: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'motorpool-checkout-'));
  checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  git('init', '--quiet', '--initial-branch', 'feature/a');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'First');
  commit = git('rev-parse', 'HEAD');
});
afterAll(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
}

test('the commit of a branch, in a worktree as well', () => {
  const worktree = join(folder, 'worktree');
  git('worktree', 'add', '--quiet', worktree);
  expect(checkoutCommit(checkout)).toBe(commit);
  expect(checkoutCommit(worktree)).toBe(commit);
});

test('of packed branches, and of none', () => {
  git('pack-refs', '--all');
  expect(checkoutCommit(checkout)).toBe(commit);
  git('checkout', '--quiet', '--detach');
  expect(checkoutCommit(checkout)).toBe(commit);
});

test('nothing where git tells none', () => {
  expect(checkoutCommit(folder)).toBeUndefined();
  const empty = join(folder, 'empty');
  mkdirSync(join(empty, '.git'), { recursive: true });
  writeFileSync(join(empty, '.git/HEAD'), 'ref: refs/heads/main\n');
  expect(checkoutCommit(empty)).toBeUndefined();
});
