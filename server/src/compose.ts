import { removeExpiredRecords } from './auth/oidc-adapter.ts';
import type { Dependencies, FleetSettings } from './fleet/dependencies.ts';
import { createEvents, jobs as fleetJobs, modules } from './fleet/index.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import type { Database } from './platform/db/database.ts';
import type { Jobs } from './platform/jobs/job.ts';
import { openQueue, type Queue } from './platform/jobs/queue.ts';
import { type Clock, systemClock } from './platform/time/clock.ts';

export type Parts = {
  db: Database;
  blobs: BlobStore;
  settings: FleetSettings;
  /** Whether this process does jobs; otherwise it only adds them. */
  runsJobs: boolean;
  onError: (error: unknown, message: string) => void;
  clock?: Clock;
};

export type Composed = { dependencies: Dependencies; queue: Queue };

const kinds = [removeExpiredRecords, ...fleetJobs];

/** Connects the queue of jobs and the events with the modules: all that handlers and jobs are given. */
export async function compose({
  db,
  blobs,
  settings,
  runsJobs,
  onError,
  clock = systemClock,
}: Parts): Promise<Composed> {
  const given = (jobs: Jobs): Dependencies => ({
    db,
    blobs,
    jobs,
    events: createEvents({ jobs, clock, settings }),
    clock,
    settings,
  });
  const queue = await openQueue(db, { kinds, dependencies: given, runsJobs, onError });
  return { dependencies: given(queue), queue };
}

/** What the modules need before the first request, and then, where this process runsJobs, the jobs. */
export async function startModules(
  { dependencies, queue }: Composed,
  runsJobs: boolean,
): Promise<void> {
  for (const module of modules) await module.start?.(dependencies, { runsJobs });
  if (runsJobs) await queue.work();
}
