import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDataDir } from '../testing/migrated-data-dir.ts';
import { processesIn } from '../testing/processes.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, postgresOf, programFile, type Sandbox } from '../testing/sandbox.ts';

let sandbox: Sandbox;
let dataDir: string;
let file: string;
const env = () => ({ DATA_DIR: dataDir });

beforeAll(async () => {
  sandbox = createSandbox();
  dataDir = await migratedDataDir(sandbox);
  const added = ['provider', 'add', 'DE', 'ABC', '--name', 'Fleet'];
  await runCommand(added, { env: env() });
  file = join(sandbox.folder, 'vehicles.csv');
  const lines = Array.from({ length: 100_000 }, (_, index) => `DE*ABC*V${index},Golf,${index}.5`);
  writeFileSync(file, `id,model,odometer\n${lines.join('\n')}\n`);
});
afterAll(() => sandbox.close());

/** Starts an import, and waits until lines of it are in the database. */
async function startImport() {
  const running = sandbox.spawn(['import', 'vehicles', 'DE', 'ABC', file], { env: env() });
  const isWriting = () =>
    processesIn(dataDir).some(({ title }) => /^postgres: .* INSERT$/.test(title));
  await expect.poll(isWriting, { interval: 5, timeout: 60_000 }).toBe(true);
  return running;
}

async function exported(): Promise<string[]> {
  const { stdout } = await runCommand(['export', 'vehicles', 'DE', 'ABC'], { env: env() });
  return stdout.trimEnd().split('\n');
}

describe.skipIf(process.platform !== 'linux')(
  'an interrupted import leaves nothing written',
  () => {
    test('and no PostgreSQL behind', async () => {
      const running = await startImport();
      running.kill('SIGINT');
      expect(await running.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
      expect(postgresOf(dataDir)).toBeUndefined();
      expect(await exported()).toHaveLength(1);
    });

    test('and the service beside it untouched', async () => {
      const service = await sandbox.start(['serve'], { env: env() });
      const running = await startImport();
      running.kill('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
      expect(await exported()).toHaveLength(1);
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    });
  },
);

describe.skipIf(process.platform !== 'linux')('a service that npm started', () => {
  const underNpm = (own: string) => ({ DATA_DIR: own, npm_command: 'exec', PORT: '0' });

  test('ends with npm, whose shell hands no signal on', async () => {
    const own = await migratedDataDir(sandbox);
    const shell = spawn('sh', ['-c', `'${process.execPath}' '${programFile}' serve & wait`], {
      env: { ...process.env, ...underNpm(own) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(shell.stdout, 'data');
    expect(postgresOf(own)).toBeDefined();
    shell.kill('SIGKILL');
    await expect.poll(() => processesIn(own)).toEqual([]);
  });

  test('takes a signal that npm sends as well for one, and stops in order', async () => {
    const own = await migratedDataDir(sandbox);
    const service = await sandbox.start(['serve'], { env: underNpm(own) });
    service.kill('SIGINT');
    service.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
    expect(postgresOf(own)).toBeUndefined();
  });
});
