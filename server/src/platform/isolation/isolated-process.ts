import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { lowerPriority } from './lower-priority.ts';
import { moduleFile } from './module-file.ts';

export type IsolatedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

const heapMegabytes = 256;
// Below the embedded PostgreSQL. More would starve it on a busy machine.
const niceness = 10;
// Where Node looks for packages: those below others that need them are in the outermost.
const packages = (createRequire(import.meta.url).resolve.paths('tesseract.js') ?? []).filter(
  (one) => existsSync(one),
);

/**
 * Runs a file without the environment, the V8 flags and the rights of this process: it may read its folder and the
 * packages, write nothing, start nothing, signal no other and reach no network. At a lower priority, so that requests come first.
 */
export function startIsolated(path: string, args: readonly string[]): IsolatedProcess {
  const folder = dirname(path);
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...[folder, import.meta.dirname, ...packages].map(
        (one) => `--allow-fs-read=${join(one, '*')}`,
      ),
      // It would write where it is told to.
      '--no-experimental-sqlite',
      '--allow-worker',
      '--allow-addons',
      '--disable-warning=SecurityWarning',
      `--max-old-space-size=${heapMegabytes}`,
      // Threads load it as well.
      '--require',
      moduleFile(import.meta.dirname, 'restrict-process.ts'),
      path,
      ...args,
    ],
    { cwd: folder, env: { MALLOC_ARENA_MAX: '2' }, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  lowerPriority(child.pid, niceness);
  endFirst(child.pid);
  return child;
}

/** Where memory runs out, Linux ends it rather than the service. */
function endFirst(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Another system, or it has ended already.
  }
}
