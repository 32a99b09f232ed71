import type { Database, Queryable } from './database.ts';

/** The database as seen from within a transaction: every statement belongs to it, and transactions are savepoints. */
export function nestedDatabase(tx: Queryable, { root }: Database): Database {
  const nested: Database = {
    ...tx,
    async transaction(work) {
      await tx.queryUnprepared('savepoint nested');
      try {
        const result = await work(tx);
        await tx.queryUnprepared('release savepoint nested');
        return result;
      } catch (error) {
        // Fails on a connection that is broken, which the error says already.
        await tx
          .queryUnprepared('rollback to savepoint nested; release savepoint nested')
          .catch(() => {});
        throw error;
      }
    },
    session: refuse,
    forTenant: () => nested,
    actingAs: () => nested,
    root,
    close: refuse,
  };
  return nested;
}

async function refuse(): Promise<never> {
  throw new Error('not within a transaction');
}
