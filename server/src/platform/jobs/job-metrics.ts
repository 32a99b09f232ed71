import { Counter, Gauge } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import { metrics } from '../metrics.ts';
import { findBacklogs } from './backlog.ts';

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

/** Counts the jobs that this process has run. */
export const finishedJobs = new Counter({
  name: 'motorpool_jobs_finished_total',
  help: 'Jobs that this process has run, by their result; those that failed or were deferred are tried again',
  labelNames: ['job', 'result'],
  registers: [metrics],
});

export async function updateJobMetrics(db: Queryable): Promise<void> {
  waitingJobs.reset();
  oldestJob.reset();
  for (const { name, waiting, oldestSeconds } of await findBacklogs(db)) {
    waitingJobs.set({ job: name }, waiting);
    oldestJob.set({ job: name }, oldestSeconds);
  }
}
