import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export type IsolatedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

const heapMegabytes = 256;
const folder = import.meta.dirname;
const packages = dirname(
  dirname(createRequire(import.meta.url).resolve('tesseract.js/package.json')),
);

/**
 * Runs a file of this folder without the environment, the V8 flags and the rights of this process: it may read the
 * program, write nothing, start nothing and reach no network. At a lower priority, so that requests come first.
 */
export function startIsolated(file: string, args: readonly string[]): IsolatedProcess {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${join(folder, '*')}`,
      `--allow-fs-read=${join(packages, '*')}`,
      '--allow-worker',
      '--allow-addons',
      '--disable-warning=SecurityWarning',
      `--max-old-space-size=${heapMegabytes}`,
      // Threads load it as well.
      '--require',
      join(folder, 'refuse-network.ts'),
      join(folder, file),
      ...args,
    ],
    { cwd: folder, env: { MALLOC_ARENA_MAX: '2' }, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  lowerPriority(child.pid);
  return child;
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, which its exit tells.
  }
}
