import type { Config } from '../config.ts';
import { type Service, startService } from '../service.ts';
import { type OpenDatabase, openFor } from './with-database.ts';

/** Opens the database, serves it, and stops in order when the process is told to. */
export async function runService(
  config: Config,
  options: { honourDemo: boolean; prepare?: (db: OpenDatabase) => Promise<void> },
): Promise<Service> {
  const db = await openFor(config, 'service');
  let service: Service;
  try {
    await options.prepare?.(db);
    service = await startService(config, db, options);
  } catch (error) {
    await db.close();
    throw error;
  }
  let stopping = false;
  const stop = () => {
    // Asked twice, the person means it.
    if (stopping) process.exit(130);
    stopping = true;
    void service
      .stop()
      .then(() => db.close())
      .then(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return service;
}
