import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** On a Node that is too old: npx, which fetches what it runs, fetches a newer one as well, unless it may not. */

const platform = `${process.platform}-${process.arch}`;
// These packages are the program itself; the package "node" needs an install script, which npm may block.
const runtime = `${platform === 'darwin-arm64' ? 'node-bin' : 'node'}-${platform}@24`;
const need = `motorpool: Node 24 or newer is needed, and this is ${process.version}:`;
// npm hands its settings on to what it runs, and false as an empty text.
const mayFetch = process.env.npm_command === 'exec' && process.env.npm_config_yes !== '';

const node = mayFetch ? fetchNode() : undefined;
if (node) runOn(node);
else {
  process.stderr.write(
    `${need} install it, or run npm install ${runtime} and then npx motorpool in the same folder.\n`,
  );
  process.exitCode = 1;
}

function fetchNode() {
  process.stderr.write(`${need} npx takes ${runtime} from the registry.\n`);
  const run = (stdout, ...args) =>
    spawnSync('npm', ['exec', `--package=${runtime}`, '--', 'node', ...args], {
      encoding: 'utf8',
      stdio: ['inherit', stdout, 'inherit'],
    });
  // First with the terminal, as npx may ask.
  if (run(2, '--eval', '').status !== 0) return undefined;
  return run('pipe', '--print', 'process.execPath').stdout.trim();
}

function runOn(path) {
  const program = fileURLToPath(new URL('motorpool.js', import.meta.url));
  const child = spawn(path, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  // The end of npm stops the program as well: src/commands/interruption.ts.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  child.on('exit', (code) => {
    clearInterval(watch);
    process.exitCode = code ?? 1;
  });
}
