import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './program.ts';

const ours = new Set<string>();

/**
 * A folder to build something in before it is renamed to its place. Its name begins with the prefix
 * and our pid, so that whoever comes after a crash knows it as abandoned, and removes it.
 */
export async function makeBuildFolder(prefix: string): Promise<string> {
  await removeAbandoned(prefix);
  const folder = await mkdtemp(`${prefix}${process.pid}-`);
  ours.add(folder);
  return folder;
}

export async function removeBuildFolder(folder: string): Promise<void> {
  ours.delete(folder);
  // What a killed process had started may still be writing there for a moment.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
}

async function removeAbandoned(prefix: string): Promise<void> {
  const parent = dirname(prefix);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(prefix)) || ours.has(join(parent, name))) continue;
    const pid = Number.parseInt(name.slice(basename(prefix).length), 10);
    // In a container the one before us had our pid.
    if (pid === process.pid || !isAlive(pid)) await removeBuildFolder(join(parent, name));
  }
}
