import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { buildInfo } from '../build-info.ts';
import type { Queryable } from '../db/database.ts';
import { findBacklogs } from '../jobs/backlog.ts';

export const metrics = new Registry();

collectDefaultMetrics({ register: metrics });

new Gauge({
  name: 'motorpool_build_info',
  help: 'Always 1; its labels tell which version and commit run',
  labelNames: Object.keys(buildInfo),
  registers: [metrics],
}).set(buildInfo, 1);

export const requestMetrics = new Histogram({
  name: 'motorpool_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last of its answer',
  labelNames: ['operation', 'method', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [metrics],
});

export const refusedRequests = new Counter({
  name: 'motorpool_http_requests_refused_total',
  help: 'Requests refused at once with 503, as more came than can be answered',
  registers: [metrics],
});

const waitingJobs = new Gauge({
  name: 'motorpool_jobs_waiting',
  help: 'Jobs that are due and wait for a worker; those of the queue “dead” were given up',
  labelNames: ['job'],
  registers: [metrics],
});

const oldestJob = new Gauge({
  name: 'motorpool_jobs_oldest_seconds',
  help: 'How long the oldest of them has been due',
  labelNames: ['job'],
  registers: [metrics],
});

export function registerMetrics(app: FastifyInstance, db: Queryable): void {
  app.get('/metrics', async (_request, reply) => {
    await updateJobMetrics(db);
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

async function updateJobMetrics(db: Queryable): Promise<void> {
  waitingJobs.reset();
  oldestJob.reset();
  // The other metrics are needed most when the database does not answer.
  const backlogs = await findBacklogs(db).catch(() => []);
  for (const { name, waiting, oldestSeconds } of backlogs) {
    waitingJobs.set({ job: name }, waiting);
    oldestJob.set({ job: name }, oldestSeconds);
  }
}
