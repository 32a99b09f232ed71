import type { Job } from '../platform/jobs/job.ts';
import { closeSilentCharging } from './charging/close-silent-charging.ts';
import type { JobDependencies } from './dependencies.ts';
import { estimateInspection } from './inspection/estimate-inspection.ts';
import { refreshFleet } from './maintenance/refresh-fleet.ts';
import { reviewFleet } from './maintenance/review-fleet.ts';
import { maintainPartitionsJob } from './telemetry/maintain-partitions.ts';

/** Every kind of job. */
export const jobKinds: readonly Job<never, JobDependencies>[] = [
  maintainPartitionsJob,
  closeSilentCharging,
  estimateInspection,
  reviewFleet,
  refreshFleet,
];
