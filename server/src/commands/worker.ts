import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { databaseFailureLog } from './database-failures.ts';
import { limitStop, listenForInterruption } from './interruption.ts';
import { openFor } from './with-database.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .description('do the jobs of the service apart from it (the service itself with WORKER=false)')
    .action(async () => {
      const config = loadConfig(process.env);
      const { createLogger, startFleet } = await import('../service.ts');
      const logger = createLogger(config.LOG_LEVEL);
      const { signal } = listenForInterruption();
      limitStop(signal, config.SHUTDOWN_TIMEOUT_MS);
      const db = await openFor(config, 'worker', databaseFailureLog(logger));
      try {
        const fleet = await startFleet(config, db, logger, true);
        logger.info('working');
        await new Promise((resolve) => {
          if (signal.aborted) resolve(undefined);
          signal.addEventListener('abort', resolve);
        });
        await fleet.stop();
      } finally {
        await db.close();
      }
      logger.info('stopped');
      process.exit(0);
    });
}
