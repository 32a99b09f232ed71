#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that one which is too old can still say so.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    'motorpool: Node 24 or newer is needed, and this is ' +
      process.version +
      ': run it through npm (npm start, npx motorpool), which brings its own, after an npm ci with install scripts.',
  );
  process.exit(1);
}
// V8 bounds the young generation (else 128 MiB) by a flag of the command line alone, so the process starts over in its own place. The
// old one is collected at twice what lives, and what fetch brings is not optimized: some 240 MiB under load, and not 420. glibc
// keeps what was freed in as many places as there are threads: in two it is 20 MiB less.
var flags = ['--max-semi-space-size=8', '--heap-growing-percent=100', '--liftoff-only'];
// Not below node --watch, which would lose sight of it.
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
import('node:module')
  .then(({ enableCompileCache }) => {
    // Halves the time to start; where the folder cannot be written to, it starts without.
    enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/motorpool`);
    return import('../src/main.ts');
  })
  .then((main) => main.run(process.argv));
