import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = {
  folder: string;
  /** Takes all space that is left. */
  fill(): void;
  makeRoom(): void;
  unmount(): void;
};

/** A file system of a fixed size; undefined where this account may not mount one. */
export function mountSmallDisk(folder: string, mebibytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const options = `size=${mebibytes}m,mode=0755`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (const piece of [1_048_576, 4_096]) writeUntilFull(file, Buffer.alloc(piece));
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    // Lazy: a process that has just been killed may hold it for a moment.
    unmount: () => void execFileSync('umount', ['-l', folder]),
  };
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
