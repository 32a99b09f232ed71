import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { RecognitionFailure, RecognitionLimits } from './recognised-document.ts';

/**
 * A thread apart, as reading may keep the others busy: ends the process when it takes too much memory or time, and
 * when the one that it reads for is gone.
 */
const { limits, parent } = workerData as {
  limits: Pick<RecognitionLimits, 'megabytes' | 'seconds'>;
  parent: number;
};
const intervalMs = 100;

setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > limits.megabytes * 1024 * 1024) end('memory');
  if (user + system > limits.seconds * 1_000_000) end('timeout');
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, intervalMs);

function end(failure: RecognitionFailure): void {
  writeSync(1, JSON.stringify({ failure }));
  process.kill(process.pid, 'SIGKILL');
}
