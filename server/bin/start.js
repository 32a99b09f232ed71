import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Limits memory by flags of V8 and a variable of glibc: docs/decisions/0025-hot-path.md.
// That of the young generation and the variable need a new process image.
const youngGeneration = '--max-semi-space-size=8';
// Not under node --watch, which would lose track of the process.
if (process.platform !== 'win32' && !process.send && !process.execArgv.includes(youngGeneration)) {
  process.execve(
    process.execPath,
    [process.execPath, youngGeneration, ...process.execArgv, ...process.argv.slice(1)],
    { MALLOC_ARENA_MAX: '2', ...process.env },
  );
}
// V8 uses a code cache only under the flags that it was made with: before the others,
// Node loads its own modules from the cache that it was built with.
await Promise.all(
  ['node:cluster', 'node:http', 'node:http2', 'node:https'].map((name) => import(name)),
);
for (const flag of ['--heap-growing-percent=50', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
  setFlagsFromString(flag);
const folder = join(import.meta.dirname, '..');
// Shortens the start; without effect where the folder is not writable.
enableCompileCache(join(folder, '.cache'));
// A checkout runs its sources, whatever it has built for the package.
const source = join(folder, 'src/main.ts');
const main = await import(existsSync(source) ? source : join(folder, 'dist/main.js'));
await main.run(process.argv);
// What a failed start has left open would keep the process alive.
if (process.exitCode) process.exit();
