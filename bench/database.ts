import { type Database, openDatabase } from '../server/src/platform/db/database.ts';
import type { EmbeddedDatabase } from '../server/src/platform/db/embedded/embedded-database.ts';

export type Connection = EmbeddedDatabase['superuser'];

/** Opens a database for the bench's own statements, practically without a timeout. */
export async function withDatabase<Result>(
  connection: Connection,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(connection, { poolSize: 1, statementTimeoutMs: 3_600_000 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
