import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, NoSuchBlob, requireKey } from './blob-store.ts';

/** Blobs as files of a folder. */
export function fileStore(folder: string): BlobStore {
  const root = resolve(folder);
  // Created and synced by this process, or about to be.
  const folders = new Map<string, Promise<void>>();
  const uploading = new Set<string>();

  function pathOf(key: string): string {
    requireKey(key);
    return join(root, key);
  }

  function ensureFolder(path: string): Promise<void> {
    const existing = folders.get(path);
    if (existing) return existing;
    const parent = path === root ? Promise.resolve() : ensureFolder(dirname(path));
    const created = parent.then(() => createFolder(path, root));
    folders.set(path, created);
    created.catch(() => folders.delete(path));
    return created;
  }

  const openBlob = (key: string) =>
    open(pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new NoSuchBlob(key) : error;
    });

  return {
    async put(key, bytes) {
      const path = pathOf(key);
      if (uploading.has(path)) {
        bytes.destroy();
        throw new Error(`${key} is being put already`);
      }
      uploading.add(path);
      try {
        await ensureFolder(dirname(path));
        const size = await write(bytes, temporaryPath(path));
        await rename(temporaryPath(path), path);
        // The rename is durable only once the folder is synced.
        await syncFolder(dirname(path));
        return size;
      } catch (error) {
        bytes.destroy();
        await rm(temporaryPath(path), { force: true });
        throw error;
      } finally {
        uploading.delete(path);
      }
    },
    async get(key, range) {
      const file = await openBlob(key);
      return file.createReadStream(range && { start: range.first, end: range.last });
    },
    async getWhole(key) {
      const file = await openBlob(key);
      try {
        const { size } = await file.stat();
        return { size, bytes: file.createReadStream() };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async delete(key) {
      const path = pathOf(key);
      await rm(temporaryPath(path), { force: true });
      await rm(path, { force: true });
      // Otherwise a power failure could restore a file that no record refers to.
      await syncFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}

/** Creates a folder and its missing parents durably. */
export async function createFolder(path: string, root = path): Promise<void> {
  const create = () => mkdir(path, { mode: 0o700 });
  try {
    await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await createFolder(dirname(path), root);
      await create();
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Below the root, another process may have just created it without having synced it yet.
    if (!path.startsWith(`${root}/`)) return;
  }
  await syncFolder(dirname(path));
}

/** Keys have no dot, so this is the path of no blob. */
function temporaryPath(path: string): string {
  return `${path}.uploading`;
}

async function write(bytes: Readable, path: string): Promise<number> {
  const target = createWriteStream(path, { mode: 0o600, flush: true });
  await pipeline(bytes, target);
  return target.bytesWritten;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
