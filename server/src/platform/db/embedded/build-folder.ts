import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './program.ts';

const inUse = new Set<string>();

/**
 * A folder to build something in before it is renamed into place. The pid in its name identifies folders that a
 * crash left behind, which the next build removes.
 */
export async function makeBuildFolder(prefix: string): Promise<string> {
  await removeStale(prefix);
  const folder = await mkdtemp(`${prefix}${process.pid}-`);
  inUse.add(folder);
  return folder;
}

export async function removeBuildFolder(folder: string): Promise<void> {
  inUse.delete(folder);
  // Children of a killed process may still be writing there for a moment.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
}

async function removeStale(prefix: string): Promise<void> {
  const parent = dirname(prefix);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(prefix)) || inUse.has(join(parent, name))) continue;
    const pid = Number.parseInt(name.slice(basename(prefix).length), 10);
    // In a container the previous process may have had the same pid.
    if (pid === process.pid || !isAlive(pid)) await removeBuildFolder(join(parent, name));
  }
}
