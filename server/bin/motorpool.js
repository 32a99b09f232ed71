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
import('node:module')
  .then(({ enableCompileCache }) => {
    // Halves the time to start; where the folder cannot be written to, it starts without.
    enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/motorpool`);
    return import('../src/main.ts');
  })
  .then((main) => main.run(process.argv));
