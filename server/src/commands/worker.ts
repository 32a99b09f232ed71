import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import type { Readiness } from '../platform/http/health.ts';
import { createLogger } from '../platform/logger.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { databaseFailureLog } from './database-failures.ts';
import { limitStop, listenForInterruption } from './interruption.ts';
import { traceFailureLog } from './trace-failures.ts';
import { openFor } from './with-database.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .description('do the jobs of the service apart from it (the service itself with WORKER=false)')
    .action(async () => {
      const config = loadConfig(process.env);
      const { startFleet, startMetricsServer } = await import('../service.ts');
      const logger = createLogger(config.LOG_LEVEL);
      const { signal } = listenForInterruption();
      limitStop(signal, config.SHUTDOWN_TIMEOUT_MS);
      const stopTracing = await startTracing(process.env, traceFailureLog(logger));
      const db = await openFor(config, 'worker', databaseFailureLog(logger));
      try {
        const readiness: Readiness = { stopping: false };
        const metrics = await startMetricsServer(config, { logger, db, readiness });
        const fleet = await startFleet(config, db, logger, true);
        readiness.mqtt = fleet.boxes?.state;
        logger.info({ metricsUrl: metrics?.url }, 'working');
        await new Promise((resolve) => {
          if (signal.aborted) resolve(undefined);
          signal.addEventListener('abort', resolve);
        });
        readiness.stopping = true;
        await fleet.stop();
        metrics?.cut();
        await metrics?.close();
      } finally {
        await Promise.all([db.close(), stopTracing(config.SHUTDOWN_TIMEOUT_MS / 6)]);
      }
      logger.info('stopped');
      process.exit(0);
    });
}
