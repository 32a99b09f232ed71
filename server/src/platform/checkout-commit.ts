import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The commit of a checkout, read from git's files without starting git; undefined where they do not tell. */
export function checkoutCommit(root: string): string | undefined {
  const link = /^gitdir: (.+)$/m.exec(read(join(root, '.git')) ?? '')?.[1];
  const gitFolder = link === undefined ? join(root, '.git') : resolve(root, link);
  const head = read(join(gitFolder, 'HEAD'))?.trim() ?? '';
  const branch = /^ref: (.+)$/.exec(head)?.[1];
  const commit = branch === undefined ? head : commitOf(branch, gitFolder);
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

function commitOf(branch: string, gitFolder: string): string | undefined {
  // Worktrees share their branches.
  const shared = resolve(gitFolder, read(join(gitFolder, 'commondir'))?.trim() ?? '.');
  const loose = read(join(shared, branch))?.trim();
  if (loose !== undefined) return loose;
  const packed = read(join(shared, 'packed-refs'))?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
