import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { lowerPriority } from '../../isolation/lower-priority.ts';
import type { Cluster } from './cluster.ts';

/** The service comes first, so that it refuses at once what a busy PostgreSQL cannot answer. */
const niceness = 5;

/**
 * Spawns a PostgreSQL program as the account, detached from Ctrl-C, at a lower priority. It knows the folder as its working directory, which
 * root enters for it, so that it also runs below folders that the account may not enter.
 */
export function spawnProgram(
  { programs, account }: Cluster,
  name: string,
  cwd: string,
  args: (folder: string) => string[],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const folder = process.platform === 'linux' ? '/proc/self/cwd' : cwd;
  const env = { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' };
  const options = { ...account, cwd, env, stdio, detached: true };
  const child = spawn(join(programs, name), args(folder), options);
  lowerPriority(child.pid, niceness);
  return child;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
