import type { Database } from '../platform/db/database.ts';

/** Keeps statements on a table waiting until the function that it returns is called. */
export async function lockTable(db: Database, table: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const done = db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    resolve();
    await released;
  });
  await locked;
  return async () => {
    release();
    await done;
  };
}
