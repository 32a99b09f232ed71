import type { Database, Queryable } from './database.ts';
import { lendStatements } from './lend-statements.ts';

/** The database as seen from within a transaction: every statement belongs to it, and transactions are savepoints. */
export function nestedDatabase(tx: Queryable, { root }: Database): Database {
  return {
    ...tx,
    async transaction(work) {
      await tx.queryUnprepared('savepoint nested');
      try {
        const result = await lendStatements(tx, work);
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
    session: async () => refuse(),
    // It would be this tenant's and this actor's all the same.
    forTenant: refuse,
    actingAs: refuse,
    hold: refuse,
    root,
    close: async () => refuse(),
  };
}

function refuse(): never {
  throw new Error('not within a transaction');
}
