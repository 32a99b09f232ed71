import type { Composed } from '../compose.ts';
import { loadConfig } from '../config.ts';
import type { Database } from '../platform/db/database.ts';

/** Runs one piece of work with the modules; the jobs that it adds are done by a service or a worker. */
export async function withFleet<Result>(
  db: Database,
  work: (composed: Composed) => Promise<Result>,
): Promise<Result> {
  // The modules are half of the program, which the other commands do without.
  const { createLogger, startFleet } = await import('../service.ts');
  const config = loadConfig(process.env);
  const composed = await startFleet(config, db, createLogger('silent'), false);
  try {
    return await work(composed);
  } finally {
    await composed.queue.close();
  }
}
