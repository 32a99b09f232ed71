import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, programFile } from '../testing/sandbox.ts';
import { recordFigure } from './figures.ts';

const nobody = 65_534;
const rounds = 3;

/** As a container without privileges is: process ids of its own, and the account of nobody. */
const isolate = ['--pid', '--fork', '--mount-proc', '--kill-child'];

test('in a container without privileges it starts again after kill -9, though process ids have shifted', {
  timeout: 2_400_000,
}, async ({ skip }) => {
  const canUnshare = spawnSync('unshare', [...isolate, 'true']).status === 0;
  skip(!canUnshare || process.getuid?.() !== 0, 'needs namespaces of process ids, as root has');
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const dataDir = sandbox.dataDir();
  mkdirSync(dataDir);
  chownSync(dataDir, nobody, nobody);
  for (let round = 0; round < rounds; round += 1) {
    // Others come first, so that the ids of the round before are those of other processes.
    const shift = Array.from({ length: round * 7 }, () => 'sleep 600 &').join(' ');
    const serve = `exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups ${process.execPath} ${programFile} serve`;
    const container = spawn('unshare', [...isolate, 'sh', '-c', `${shift} ${serve}`], {
      env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void container.kill('SIGKILL'));
    let output = '';
    for (const stream of [container.stdout, container.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    await expect.poll(() => output, { timeout: 600_000 }).toMatch(/"url":"http|motorpool: /);
    const url = /"url":"(http[^"]+)"/.exec(output)?.[1];
    expect(url, output).toBeDefined();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    // The first process of the namespace: all others of it are killed with it.
    const [inner] = execFileSync('pgrep', ['-P', String(container.pid)], {
      encoding: 'utf8',
    }).split('\n');
    process.kill(Number(inner), 'SIGKILL');
    await new Promise((resolve) => container.once('close', resolve));
    await sleep(100);
  }
  recordFigure(
    'container killed',
    `${rounds} starts on one data folder, each with other process ids`,
  );
});
