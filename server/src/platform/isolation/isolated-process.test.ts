import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startIsolated } from './isolated-process.ts';

test('it has no network, no environment, and no right to write or to start programs', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const probe = startIsolated(join(import.meta.dirname, 'isolation-probe.ts'), [
    `http://127.0.0.1:${port}/`,
  ]);
  const [output, errors] = await Promise.all([text(probe.stdout), text(probe.stderr)]);
  server.close();
  expect({ errors, ...JSON.parse(output) }).toEqual({
    errors: '',
    possible: [],
    environment: ['MALLOC_ARENA_MAX'],
  });
  expect(requests).toBe(0);
});

test.runIf(existsSync('/proc/self/oom_score_adj'))(
  'where memory runs out, it is ended rather than this process',
  async () => {
    const { pid, stdout } = startIsolated(join(import.meta.dirname, 'isolation-probe.ts'), [
      'http://127.0.0.1:1/',
    ]);
    expect((await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).trim()).toBe('1000');
    await text(stdout);
  },
);

test('one that is watched ends with the process that it works for', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'motorpool-isolated-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [worker, service] = [join(folder, 'worker.mjs'), join(folder, 'service.mjs')];
  const moduleOf = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  await writeFile(
    worker,
    `import { watchProcess } from ${moduleOf('watch-process.ts')};
     watchProcess({ megabytes: 1_024, seconds: 600 });
     setInterval(() => {}, 1_000);
     process.stdout.write('working');`,
  );
  await writeFile(
    service,
    `import { startIsolated } from ${moduleOf('isolated-process.ts')};
     const child = startIsolated(${JSON.stringify(worker)}, []);
     child.stdout.once('data', () => console.log(child.pid));`,
  );
  const parent = spawn(process.execPath, [service], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(parent.stdout, 'data');
  const pid = Number(String(said));
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
