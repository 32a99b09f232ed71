import type { Composed } from '../compose.ts';
import { loadConfig } from '../config.ts';
import { createLogger } from '../platform/logger.ts';
import type { OpenDatabase } from './with-database.ts';

/** Runs `work` with the modules of the fleet; a service or a worker runs the jobs that it enqueues. */
export async function withFleet<Result>(
  db: OpenDatabase,
  work: (composed: Composed) => Promise<Result>,
): Promise<Result> {
  // Imported on demand: most commands do not need the modules.
  const { startFleet } = await import('../service.ts');
  const config = loadConfig(process.env);
  const composed = await startFleet(config, db, createLogger('silent'), false);
  try {
    return await work(composed);
  } finally {
    await composed.queue.close();
  }
}
