import { type Config, loadConfig } from '../config.ts';
import type { Role } from '../platform/db/embedded/embedded-database.ts';
import { openConfiguredDatabase } from '../platform/db/open-database.ts';
import { listenForInterruption } from './interruption.ts';

export type OpenDatabase = Awaited<ReturnType<typeof openFor>>;

export function openFor(config: Config, role: Role) {
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

/**
 * Runs one piece of work on the configured database, beside a running service or without one. An
 * interruption cuts the work's connections, so that what it has not committed never happened.
 */
export async function withDatabase<Result>(
  work: (db: OpenDatabase, interruption: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(process.env);
  const { signal, release } = listenForInterruption();
  try {
    const db = await openFor(config, 'command');
    try {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => void db.close());
      return await work(db, signal);
    } finally {
      await db.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}
