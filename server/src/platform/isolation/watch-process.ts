import { Worker } from 'node:worker_threads';
import { moduleFile } from './module-file.ts';

/** Megabytes of resident memory, and seconds of processor time. */
export type ProcessLimits = { megabytes: number; seconds: number };

/** How many times as long a process may take by the clock: on a busy machine it waits for a processor. */
export const clockFactor = 5;

/** Ends this process when it takes more than the limits, or when the one that it works for is gone. */
export function watchProcess({ megabytes, seconds }: ProcessLimits): void {
  const workerData = { megabytes, seconds, parent: process.ppid };
  new Worker(moduleFile(import.meta.dirname, 'watch-thread.ts'), { workerData }).unref();
}
