import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import { metrics } from '../metrics.ts';
import { shareRunning } from '../share-running.ts';

export const requestMetrics = new Histogram({
  name: 'motorpool_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last of its answer',
  labelNames: ['operation', 'method', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [metrics],
});

export const refusedRequests = new Counter({
  name: 'motorpool_http_requests_refused_total',
  help: 'Requests refused at once, as more came than can be answered',
  registers: [metrics],
});

/** Brings metrics that are read in the database up to date. */
export type MetricsUpdate = (db: Queryable) => Promise<void>;

/** The other metrics are needed most when the database does not answer. */
export async function updateMetrics(
  db: Queryable,
  updates: readonly MetricsUpdate[],
): Promise<void> {
  await Promise.all(updates.map((update) => update(db).catch(() => {})));
}

/** No longer than a scrape waits. */
export const metricsRestMs = 1_000;

/** The metrics as text. */
export type MetricsSource = () => Promise<string>;

export function registerMetrics(app: FastifyInstance, source: MetricsSource): void {
  // Anybody may ask, and not read the answer: all who do at a time get the same bytes.
  const read = shareRunning(async () => Buffer.from(await source()), { restMs: metricsRestMs });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await read()),
  );
}
