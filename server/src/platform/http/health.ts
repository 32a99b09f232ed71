import type { FastifyInstance } from 'fastify';
import { buildInfo } from '../build-info.ts';
import type { Database } from '../db/database.ts';
import { unavailable } from './problem.ts';

export type Readiness = {
  stopping: boolean;
  /** The state of the connection to the MQTT broker; without it, the service is still ready for requests. */
  mqtt?: (() => string) | undefined;
};

export function registerHealth(app: FastifyInstance, db: Database, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  const ready = async () => {
    if (readiness.stopping) throw unavailable('The service is stopping.');
    await db.query('select 1');
    return { status: 'ok', ...(readiness.mqtt && { mqtt: readiness.mqtt() }) };
  };
  app.get('/health/ready', ready);
  app.get('/health', async () => ({ ...(await ready()), ...buildInfo }));
}
