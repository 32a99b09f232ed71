import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

/**
 * Starts one of PostgreSQL's programs in a folder, as the account. The program gets it as its
 * working folder, which is entered while we are still root, and knows it by that name: so it runs
 * below folders that its account may not enter. Detached, because Ctrl-C is for us alone.
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
