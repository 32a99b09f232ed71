import type { FastifyInstance } from 'fastify';
import { buildInfo } from '../build-info.ts';
import type { Database } from '../db/database.ts';
import { findSchemaFault } from '../db/database-compatibility.ts';
import { newestSchemaVersion } from '../db/migrate.ts';
import { shareRunning } from '../share-running.ts';
import { unavailable } from './problem.ts';

export type Readiness = {
  stopping: boolean;
  /** The state of the connection to the MQTT broker; without it, the service is still ready for requests. */
  mqtt?: (() => string) | undefined;
};

export function registerHealth(app: FastifyInstance, db: Database, readiness: Readiness): void {
  const newest = newestSchemaVersion();
  // In turns of its own, and once for all who ask at a time: anybody can.
  const own = db.forTenant('health', 'internal');
  const findFault = shareRunning(async () => findSchemaFault(own, await newest));
  app.get('/health/live', async () => ({ status: 'ok' }));
  const ready = async () => {
    if (readiness.stopping) throw unavailable('The service is stopping.');
    // A release that is replaced may meet the schema of the one after the next.
    const fault = await findFault();
    if (fault !== undefined) throw unavailable(fault);
    return { status: 'ok', ...(readiness.mqtt && { mqtt: readiness.mqtt() }) };
  };
  app.get('/health/ready', ready);
  app.get('/health', async () => ({ ...(await ready()), ...buildInfo }));
}
