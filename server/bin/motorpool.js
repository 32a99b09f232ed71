#!/usr/bin/env node
// JavaScript that any version of Node can parse, so that one that is too old can say so.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    'motorpool: Node 24 or newer is needed, and this is ' +
      process.version +
      ': run it through npm (npm start, npx motorpool), which brings its own, after an npm ci with install scripts.',
  );
  process.exit(1);
}
// Limits memory by flags of V8 and a variable of glibc, both of which need a new process image:
// docs/decisions/0025-hot-path.md.
var flags = ['--max-semi-space-size=8', '--heap-growing-percent=100', '--liftoff-only'];
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
import('node:module')
  .then(({ enableCompileCache }) => {
    // Shortens the start; without effect where the folder is not writable.
    enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/motorpool`);
    return import('../src/main.ts');
  })
  .then((main) => main.run(process.argv));
