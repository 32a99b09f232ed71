import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** On a Node that is too old: npx, which fetches what it runs, also fetches a newer one. Others are told to. */

const prefix = `${process.platform}-${process.arch}` === 'darwin-arm64' ? 'node-bin' : 'node';
// It has the program itself; the package "node" needs an install script, which npm may block.
const runtime = `${prefix}-${process.platform}-${process.arch}@24`;
const need = `motorpool: Node 24 or newer is needed, and this is ${process.version}`;

if (process.env.npm_command === 'exec') {
  process.stderr.write(`${need}: it runs on ${runtime} of the registry.\n`);
  const node = findNode();
  if (node) runOn(node);
  else fail(`${runtime} cannot be installed`);
} else fail(`run it through npx, which fetches one (npx motorpool)`);

function fail(what) {
  process.stderr.write(`${need}: ${what}; or install it from nodejs.org.\n`);
  process.exitCode = 1;
}

function findNode() {
  const { status, stdout } = spawnSync(
    'npm',
    ['exec', `--package=${runtime}`, '--', 'node', '-p', 'process.execPath'],
    { encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'] },
  );
  return status === 0 ? stdout.trim().split('\n').at(-1) : undefined;
}

function runOn(node) {
  const program = fileURLToPath(new URL('motorpool.js', import.meta.url));
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends its interrupt to both processes.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal) process.stderr.write(`motorpool: ended by ${signal}.\n`);
  });
}
