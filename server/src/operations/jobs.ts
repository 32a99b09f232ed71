import type { Job } from '../platform/jobs/job.ts';
import type { JobDependencies } from './dependencies.ts';
import { closeSilentCharging } from './shared/charging/close-silent-charging.ts';
import { maintainPartitions } from './shared/history/maintain-partitions.ts';
import { estimateInspection } from './shared/inspection/estimate-inspection.ts';
import { refreshFleet } from './shared/maintenance/refresh-fleet.ts';
import { reviewFleet } from './shared/maintenance/review-fleet.ts';

/** Every kind of job. */
export const jobKinds: readonly Job<never, JobDependencies>[] = [
  maintainPartitions,
  closeSilentCharging,
  estimateInspection,
  reviewFleet,
  refreshFleet,
];
