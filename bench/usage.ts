import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Usage = {
  /** Peak resident memory. */
  residentMib: number;
  /** Processor cores in use, on average. */
  serviceCores: number;
  databaseCores: number;
};

const ticksPerSecond = 100;
const sampleIntervalMs = 200;

/** Samples processes of Linux, from `begin` to `end`. */
export function watchUsage(
  pids: readonly number[],
  postgresFolders: readonly string[],
): { begin(): void; end(): Usage } {
  const postmasters = postgresFolders.map((folder) =>
    Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
  );
  const timesNow = () => ({
    service: sum(pids.map((pid) => processTimes(pid).own)),
    database: sum(postmasters.map(databaseSeconds)),
    clock: performance.now() / 1_000,
  });
  let before = timesNow();
  let residentMib = 0;
  const sample = () => {
    residentMib = Math.max(residentMib, sum(pids.map(residentOf)));
  };
  // Not stopped when the work fails.
  const sampling = setInterval(sample, sampleIntervalMs).unref();
  return {
    begin() {
      before = timesNow();
    },
    end() {
      clearInterval(sampling);
      sample();
      const after = timesNow();
      const seconds = after.clock - before.clock;
      return {
        residentMib,
        serviceCores: (after.service - before.service) / seconds,
        databaseCores: (after.database - before.database) / seconds,
      };
    },
  };
}

/** Waits until the processes and the database are nearly idle, at most half a minute. */
export async function waitUntilIdle(
  pids: readonly number[],
  postgresFolders: readonly string[],
): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const usage = watchUsage(pids, postgresFolders);
    await sleep(sampleIntervalMs);
    const { serviceCores, databaseCores } = usage.end();
    if (serviceCores + databaseCores < 0.15) return;
  }
}

/** Of the server, its children, and its children that have exited. */
function databaseSeconds(postmaster: number): number {
  const { own, ofEnded } = processTimes(postmaster);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processTimes(Number(name)))
    .filter(({ parent }) => parent === postmaster);
  return own + ofEnded + sum(children.map((child) => child.own));
}

function processTimes(pid: number): { parent: number; own: number; ofEnded: number } {
  // The name, in parentheses, may contain anything; then follow the state and numbers.
  const fields = readProcess(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const seconds = (index: number) => (fields[index] ?? 0) / ticksPerSecond;
  return {
    parent: fields[1] ?? 0,
    own: seconds(11) + seconds(12),
    ofEnded: seconds(13) + seconds(14),
  };
}

function residentOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readProcess(pid, 'status'))?.[1];
  return Number(kib ?? 0) / 1_024;
}

/** Empty when the process has exited. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
