import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDemo } from './start-demo.ts';

/** Runs the client, as it is published, in Node.js, Deno and Bun against a demo that it starts. */

const folder = fileURLToPath(new URL('../test-packages/runtimes/', import.meta.url));
const client = fileURLToPath(new URL('../client/', import.meta.url));
const bin = (name: string) => join(folder, 'node_modules/.bin', name);
let url = '';
const packed = mkdtempSync(join(tmpdir(), 'motorpool-runtimes-'));

run('npm', ['ci', '--no-audit'], folder);
run('npm', ['pack', '--silent', '--pack-destination', packed], client);
run('tar', ['xzf', join(packed, globSync('*.tgz', { cwd: packed })[0] ?? '')], packed);
const runtimes: Record<string, [command: string, ...args: string[]]> = {
  node: [process.execPath],
  deno: [bin('deno'), 'run', '--allow-net=127.0.0.1', '--allow-env', `--allow-read=${packed}`],
  bun: [bin('bun'), 'run'],
};
const demo = await startDemo();
url = demo.url;
try {
  const results: Record<string, string> = {};
  for (const [name, [command, ...args]] of Object.entries(runtimes)) {
    const failure = attempt(() => run(command, [...args, join(folder, 'scenario.js')], packed));
    results[name] = failure ?? 'token, search, upload, download, events and webhook work';
    if (failure !== undefined) process.exitCode = 1;
  }
  console.table(results);
} finally {
  await demo.stop();
  rmSync(packed, { recursive: true });
}

function attempt(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const env = {
    ...process.env,
    MOTORPOOL_URL: url,
    MOTORPOOL_CLIENT: `${packed}/package/dist/index.js`,
  };
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${error?.message ?? status}`);
}
