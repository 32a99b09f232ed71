import type { Job } from '../platform/jobs/job.ts';
import type { JobDependencies } from './dependencies.ts';
import { keepHistory } from './shared/history/keep-history.ts';

/** Every kind of job. */
export const jobKinds: readonly Job<never, JobDependencies>[] = [keepHistory];
