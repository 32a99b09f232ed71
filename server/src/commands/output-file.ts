import { constants, createWriteStream, type WriteStream } from 'node:fs';
import { lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../platform/user-error.ts';

/**
 * Writes a file under another name until it is whole and on the disk; a device or a pipe is written as it is. It is for its owner alone,
 * unless it keeps the mode of the one that it replaces. What another account has laid in its place is refused: the content would be
 * theirs, or what their link names be replaced.
 */
export async function writeOutputFile(
  file: string,
  write: (output: WriteStream) => Promise<void>,
  { keepsMode = false } = {},
): Promise<void> {
  const named = await lstat(file).catch(() => undefined);
  const target = named?.isSymbolicLink() ? await followLink(file, named) : file;
  const existing = await stat(target).catch(() => undefined);
  if (existing && !existing.isFile()) return writeDevice(file, target, write);
  const written = `${target}.partial`;
  // A file that is there already would keep its mode, and a link lead elsewhere.
  await rm(written, { force: true });
  const mode = keepsMode && existing && isOurs(existing) ? existing.mode & 0o777 : 0o600;
  try {
    await write(createWriteStream(written, { flags: 'wx', mode, flush: true }));
    await rename(written, target);
    const folder = await open(dirname(target));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

async function followLink(file: string, link: { uid: number }): Promise<string> {
  requireTrusted(file, link);
  return realpath(file).catch((error) => {
    // What it names is yet to be made, as the file of a mount, or is none, as a pipe of the process.
    if (error.code === 'ENOENT') return file;
    throw error;
  });
}

async function writeDevice(
  file: string,
  target: string,
  write: (output: WriteStream) => Promise<void>,
): Promise<void> {
  const handle = await open(target, constants.O_WRONLY);
  try {
    requireTrusted(file, await handle.stat());
  } catch (error) {
    await handle.close();
    throw error;
  }
  await write(handle.createWriteStream());
}

function requireTrusted(file: string, entry: { uid: number }): void {
  if (isOurs(entry) || entry.uid === 0) return;
  throw new UserError(
    `Cannot write ${file}: it is a link, a pipe or a device of another account (uid ${entry.uid}). Name another file.`,
  );
}

function isOurs({ uid }: { uid: number }): boolean {
  return uid === process.getuid?.();
}
