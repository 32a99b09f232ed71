import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Generates clients from the document of a demo that it starts, compiles them, and runs each against it. */

const folder = fileURLToPath(new URL('../generated-clients/', import.meta.url));
const motorpool = fileURLToPath(new URL('../server/bin/motorpool.js', import.meta.url));
const generators = ['openapi-typescript', 'hey-api', 'orval', 'kubb'];
const startMs = 180_000;

const data = await mkdtemp(join(tmpdir(), 'motorpool-clients-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const demo = spawn(process.execPath, [motorpool, 'demo', '--no-simulation'], {
  env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: data },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const stopped = new Promise((resolve) => demo.once('exit', resolve));
try {
  await run('npm', ['ci', '--ignore-scripts']);
  await writeDocument();
  for (const generator of generators) await run('npm', ['run', `generate:${generator}`]);
  await run('npm', ['run', 'compile']);
  await run('npm', ['run', 'bundle']);
  const results: Record<string, string> = {};
  for (const generator of generators) {
    const bundle = join('.generated', 'bundles', `${generator}.mjs`);
    const failure = await run(process.execPath, [bundle]).catch((error: Error) => error);
    results[generator] = failure ? failure.message : 'token, searches, update and file work';
    if (failure) process.exitCode = 1;
  }
  console.table(results);
} finally {
  demo.kill();
  await stopped;
  await rm(data, { recursive: true, force: true });
}

async function writeDocument(): Promise<void> {
  const generated = join(folder, '.generated');
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated);
  const response = await answer(`${url}/openapi.json`);
  await writeFile(join(generated, 'openapi.json'), await response.text());
}

/** The answer of the demo, once it has started. */
async function answer(address: string): Promise<Response> {
  for (const deadline = Date.now() + startMs; Date.now() < deadline; await wait(200)) {
    if (demo.exitCode !== null) break;
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return response;
  }
  throw new Error('The demo did not start.');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port is free');
  return address.port;
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, MOTORPOOL_URL: url },
    stdio: 'inherit',
  });
  const code = await new Promise((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
