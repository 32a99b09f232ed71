import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, NoSuchBlob, requireKey } from './blob-store.ts';

/** Blobs as files of a folder. */
export function fileStore(folder: string): BlobStore {
  const root = resolve(folder);
  // What this process has made sure of, so that it does so once.
  const folders = new Map<string, Promise<void>>();
  const underWay = new Set<string>();

  function pathOf(key: string): string {
    requireKey(key);
    return join(root, key);
  }

  function requireFolder(path: string): Promise<void> {
    const known = folders.get(path);
    if (known) return known;
    const above = path === root ? Promise.resolve() : requireFolder(dirname(path));
    const making = above.then(() => makeFolder(path, root));
    folders.set(path, making);
    making.catch(() => folders.delete(path));
    return making;
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key);
      if (underWay.has(path)) {
        bytes.destroy();
        throw new Error(`${key} is being put already`);
      }
      underWay.add(path);
      try {
        await requireFolder(dirname(path));
        const size = await write(bytes, temporaryOf(path));
        await rename(temporaryOf(path), path);
        // The name is on the disk only when its folder is.
        await flushFolder(dirname(path));
        return size;
      } catch (error) {
        bytes.destroy();
        await rm(temporaryOf(path), { force: true });
        throw error;
      } finally {
        underWay.delete(path);
      }
    },
    async get(key, range) {
      const file = await open(pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new NoSuchBlob(key) : error;
      });
      return file.createReadStream(range && { start: range.first, end: range.last });
    },
    async delete(key) {
      const path = pathOf(key);
      await rm(temporaryOf(path), { force: true });
      await rm(path, { force: true });
      // Without this a file could come back after a power cut, when nobody knows of it any more.
      await flushFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}

/** Makes a folder, and those above it that are missing, so that a power cut does not undo it. */
export async function makeFolder(path: string, root = path): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await makeFolder(dirname(path), root);
      await make();
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Below the root another process may have made it this moment, and not have flushed it yet.
    if (!path.startsWith(`${root}/`)) return;
  }
  await flushFolder(dirname(path));
}

/** No key has a dot. */
function temporaryOf(path: string): string {
  return `${path}.uploading`;
}

async function write(bytes: Readable, path: string): Promise<number> {
  const target = createWriteStream(path, { mode: 0o600, flush: true });
  await pipeline(bytes, target);
  return target.bytesWritten;
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
