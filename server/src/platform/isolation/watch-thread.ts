import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { ProcessLimits } from './watch-process.ts';

/** A thread apart, as the work may keep the others busy. It tells the reason on standard output. */
const { megabytes, seconds, parent } = workerData as ProcessLimits & { parent: number };
const intervalMs = 100;

setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > megabytes * 1024 * 1024) end('memory');
  if (user + system > seconds * 1_000_000) end('timeout');
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, intervalMs);

function end(failure: 'memory' | 'timeout'): void {
  writeSync(1, JSON.stringify({ failure }));
  process.kill(process.pid, 'SIGKILL');
}
