import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFigure } from '../faults/figures.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let sandbox: Sandbox;
let database: TestDatabase;
beforeAll(async () => {
  sandbox = createSandbox();
  database = await createTestDatabase();
});
afterAll(async () => {
  await sandbox.close();
  await database.drop();
});

/** Runs an import of so many lines; returns its result and its peak memory. */
async function runImport(lines: number) {
  const file = join(sandbox.folder, 'vehicles.csv');
  const body = Array.from({ length: lines }, (_, index) => `DE*ABC*V${index},5\n`);
  writeFileSync(file, `id,seats\n${body.join('')}`);
  const running = sandbox.spawn(['import', 'vehicles', 'DE', 'ABC', file, '--dry-run'], {
    // Its memory is the subject, not how long a busy machine takes for a statement.
    env: { ...database.env, STATEMENT_TIMEOUT_MS: '300000' },
  });
  let ended = false;
  void running.ended.then(() => {
    ended = true;
  });
  let peakMb = 0;
  for (; !ended; await sleep(20)) {
    try {
      const status = readFileSync(`/proc/${running.pid}/status`, 'utf8');
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
    } catch {
      // It has just ended.
    }
  }
  const { stdout, stderr } = await running.ended;
  return { peakMb, stdout, stderr };
}

test.skipIf(process.platform !== 'linux')(
  'ten times the lines take no more memory to import',
  async () => {
    const short = await runImport(10_000);
    const long = await runImport(100_000);
    expect([short.stderr, long.stderr]).toEqual(['', '']);
    expect(short.stdout).toMatch(/^10000 lines: 10000 new,/);
    expect(long.stdout).toMatch(/^100000 lines: 100000 new,/);
    recordFigure(
      'large import',
      `${short.peakMb.toFixed(0)} MiB for 10,000 lines, ${long.peakMb.toFixed(0)} MiB for 100,000`,
    );
    expect(short.peakMb).toBeGreaterThan(50);
    expect(long.peakMb).toBeLessThan(short.peakMb * 1.5 + 60);
  },
  400_000,
);
