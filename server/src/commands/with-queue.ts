import { loadConfig } from '../config.ts';
import type { Database } from '../platform/db/database.ts';
import type { Queue } from '../platform/jobs/queue.ts';

/** Runs one piece of work on the queue of jobs, which a service or a worker does elsewhere. */
export async function withQueue<Result>(
  db: Database,
  work: (queue: Queue) => Promise<Result>,
): Promise<Result> {
  // The jobs bring half of the program, which the other commands do without.
  const { createLogger, startQueue } = await import('../service.ts');
  const config = loadConfig(process.env);
  const queue = await startQueue(config, db, createLogger('silent'), false);
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
