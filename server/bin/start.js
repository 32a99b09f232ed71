import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Limits memory by flags of V8 and a variable of glibc, both of which need a new process image:
// docs/decisions/0025-hot-path.md.
const flags = ['--max-semi-space-size=8', '--heap-growing-percent=100', '--liftoff-only'];
// Not under node --watch, which would lose track of the process.
if (
  process.platform !== 'win32' &&
  !process.send &&
  !flags.every((flag) => process.execArgv.includes(flag))
) {
  process.execve(
    process.execPath,
    [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
    { MALLOC_ARENA_MAX: '2', ...process.env },
  );
}
const folder = join(import.meta.dirname, '..');
// Shortens the start; without effect where the folder is not writable.
enableCompileCache(join(folder, '.cache'));
// A checkout runs its sources, whatever it has built for the package.
const source = join(folder, 'src/main.ts');
const main = await import(existsSync(source) ? source : join(folder, 'dist/main.js'));
await main.run(process.argv);
// What a failed start has left open would keep the process alive.
if (process.exitCode) process.exit();
