import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of a folder and of those in it. Not asynchronously, which takes a turn of a thread for each folder. */
export function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((file) => relative(folder, join(file.parentPath, file.name)));
}
