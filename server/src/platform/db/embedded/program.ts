import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

/**
 * Spawns a PostgreSQL program as the account, detached from Ctrl-C. It knows the folder as its working directory, which
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
  return spawn(join(programs, name), args(folder), { ...account, cwd, env, stdio, detached: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
