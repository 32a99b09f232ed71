import type { Config } from '../config.ts';
import { type Service, startService } from '../service.ts';
import { listenForInterruption } from './interruption.ts';
import { type OpenDatabase, openFor } from './with-database.ts';

/** Opens the database, serves it, and stops in order when the process is told to. */
export async function runService(
  config: Config,
  options: { honourDemo: boolean; prepare?: (db: OpenDatabase) => Promise<void> },
): Promise<Service> {
  // From the first moment on: a start that is broken off leaves no PostgreSQL behind.
  const { signal } = listenForInterruption();
  const db = await openFor(config, 'service');
  let service: Service;
  try {
    signal.throwIfAborted();
    await options.prepare?.(db);
    signal.throwIfAborted();
    service = await startService(config, db, options);
  } catch (error) {
    await db.close();
    throw error;
  }
  const stop = async () => {
    try {
      await service.stop();
    } finally {
      await db.close();
    }
    process.exit(0);
  };
  if (signal.aborted) await stop();
  signal.addEventListener('abort', () => void stop());
  return service;
}
