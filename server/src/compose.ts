import { removeExpiredRecords } from './auth/oidc-adapter.ts';
import { sealSecrets } from './auth/sealed-secrets.ts';
import type { Dependencies, FleetSettings } from './fleet/dependencies.ts';
import {
  createEvents,
  jobs as fleetJobs,
  metricsUpdates as fleetMetrics,
  modules,
} from './fleet/index.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import type { Database } from './platform/db/database.ts';
import type { ReadReplica } from './platform/db/replica.ts';
import { removeExpiredAnswers } from './platform/http/idempotency/kept-answers.ts';
import { createImageConverter } from './platform/images/image-converter.ts';
import { maintainQueue } from './platform/jobs/install.ts';
import type { Jobs } from './platform/jobs/job.ts';
import { updateJobMetrics } from './platform/jobs/job-metrics.ts';
import { openQueue, type Queue } from './platform/jobs/queue.ts';
import { type Clock, systemClock } from './platform/time/clock.ts';

/** Of the metrics that are read in the database. */
export const metricsUpdates = [updateJobMetrics, ...fleetMetrics];

export type Parts = {
  db: Database;
  owner: Database;
  replica?: ReadReplica | undefined;
  blobs: BlobStore;
  settings: FleetSettings;
  /** Whether this process runs jobs; otherwise it only enqueues them. */
  runsJobs: boolean;
  onError: (error: unknown, message: string) => void;
  clock?: Clock;
};

export type Composed = { dependencies: Dependencies; queue: Queue };

/** Every kind of job. */
export const kinds = [
  removeExpiredRecords,
  sealSecrets,
  maintainQueue,
  removeExpiredAnswers,
  ...fleetJobs,
];

/** Connects the queue and the events with the modules, to the dependencies of handlers and jobs. */
export async function compose({
  db,
  owner,
  replica,
  blobs,
  settings,
  runsJobs,
  onError,
  clock = systemClock,
}: Parts): Promise<Composed> {
  const images = createImageConverter();
  const dependenciesWith = (jobs: Jobs): Dependencies => ({
    db,
    owner,
    replica,
    blobs,
    images,
    jobs,
    events: createEvents({ jobs, clock, settings }),
    clock,
    settings,
  });
  const queue = await openQueue<Dependencies>(db, {
    kinds,
    dependencies: dependenciesWith,
    runsJobs,
    onError,
  });
  return { dependencies: dependenciesWith(queue), queue };
}

/** Prepares the modules for the first request, and then starts to run jobs and what runs beside them, if this process does. */
export async function startModules(
  { dependencies, queue }: Composed,
  { runsJobs, onError }: Pick<Parts, 'runsJobs' | 'onError'>,
): Promise<{ stop(): Promise<void> }[]> {
  for (const module of modules) await module.start?.(dependencies, { runsJobs });
  if (!runsJobs) return [];
  await queue.work();
  return modules.flatMap((module) => module.runBeside?.(dependencies, onError) ?? []);
}
