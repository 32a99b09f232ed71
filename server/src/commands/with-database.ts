import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../platform/db/database.ts';
import { openConfiguredDatabase } from '../platform/db/open-database.ts';

export type OpenDatabase = Awaited<ReturnType<typeof openFor>>;

export function openFor(config: Config, role: 'service' | 'command') {
  return openConfiguredDatabase(
    {
      databaseUrl: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      poolSize: config.DATABASE_POOL_SIZE,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    },
    role,
  );
}

/** Runs one piece of work on the configured database, beside a running service or without one. */
export async function withDatabase<Result>(
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openFor(loadConfig(process.env), 'command');
  const interrupt = () => {
    void db.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(db);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await db.close();
  }
}
