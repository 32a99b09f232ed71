import type { Config } from '../config.ts';
import { type Service, startService } from '../service.ts';
import { listenForInterruption } from './interruption.ts';
import { type OpenDatabase, openFor } from './with-database.ts';

type Options = {
  allowDemoCredentials: boolean;
  prepare?: (db: OpenDatabase) => Promise<void>;
  /** What runs beside the service, ends first when told to, and never fails. */
  beside?: (service: Service, signal: AbortSignal) => Promise<void>;
};

/** Opens the database, serves it, and stops in order when the process is told to. */
export async function runService(config: Config, options: Options): Promise<Service> {
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
  const beside = options.beside?.(service, signal);
  const stop = async () => {
    try {
      await beside;
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
