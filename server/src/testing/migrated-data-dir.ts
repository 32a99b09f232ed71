import { expect } from 'vitest';
import { oncePerRun } from './once-per-run.ts';
import type { Sandbox } from './sandbox.ts';

/** A data folder as `motorpool migrate` leaves it: the embedded PostgreSQL, stopped, with the schema and no provider. */
export async function migratedDataDir(sandbox: Sandbox): Promise<string> {
  const migrated = await oncePerRun('migrated-data-dir', async (path) => {
    const { code, stderr } = await sandbox.run(['migrate'], { env: { DATA_DIR: path } });
    expect(code, stderr).toBe(0);
  });
  return sandbox.copyOf(migrated);
}
