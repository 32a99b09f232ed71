import type { Database } from '../platform/db/database.ts';

/** Keeps statements on a table waiting, or those that write to it, until the function that it returns is called. */
export async function lockTable(
  db: Database,
  table: string,
  mode: 'access exclusive' | 'share' = 'access exclusive',
): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const done = db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in ${mode} mode`);
    resolve();
    await released;
  });
  await locked;
  return async () => {
    release();
    await done;
  };
}
