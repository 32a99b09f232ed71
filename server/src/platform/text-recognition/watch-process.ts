import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/**
 * A thread apart, as reading may keep the others busy: ends the process when it takes too much memory, and when the
 * one that it reads for is gone.
 */
const { megabytes, parent } = workerData as { megabytes: number; parent: number };
const intervalMs = 100;

setInterval(() => {
  if (process.memoryUsage.rss() > megabytes * 1024 * 1024) {
    writeSync(1, JSON.stringify({ failure: 'memory' }));
    process.kill(process.pid, 'SIGKILL');
  }
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, intervalMs);
