import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, NoSuchBlob } from './blob-store.ts';

/** Blobs as files of a folder. */
export function fileStore(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, key);
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const temporary = `${path}.uploading`;
      await mkdir(dirname(path), { recursive: true });
      try {
        const target = createWriteStream(temporary, { flush: true });
        await pipeline(bytes, target);
        await rename(temporary, path);
        // The name is on the disk only when its folder is.
        await flushFolder(dirname(path));
        return target.bytesWritten;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      const path = pathOf(key);
      await stat(path).catch(() => {
        throw new NoSuchBlob(key);
      });
      return createReadStream(path, range && { start: range.first, end: range.last });
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
      await rm(`${pathOf(key)}.uploading`, { force: true });
    },
  };
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
