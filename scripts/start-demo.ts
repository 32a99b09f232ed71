import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const motorpool = fileURLToPath(new URL('../server/bin/motorpool.js', import.meta.url));
const startMs = 180_000;

/** A demo of its own, once it answers. */
export async function startDemo(): Promise<{ url: string; stop(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'motorpool-demo-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const demo = spawn(process.execPath, [motorpool, 'demo', '--no-simulation'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stopped = new Promise((resolve) => demo.once('exit', resolve));
  const stop = async () => {
    demo.kill();
    await stopped;
    await rm(data, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + startMs; Date.now() < deadline; await wait(200)) {
    if (demo.exitCode !== null) break;
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) return { url, stop };
  }
  await stop();
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
