import { closeSync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { UserError } from '../../user-error.ts';
import { openAccountFile } from './account-files.ts';
import type { Cluster } from './cluster.ts';

const maxBytes = 10 * 1_048_576;

/** Owned by the account, which may start the server itself next time. */
export function openLog(cluster: Cluster): { fd: number; size: number } {
  try {
    rotateLog(cluster);
    const fd = openAccountFile(cluster.logFile, cluster.account);
    return { fd, size: fstatSync(fd).size };
  } catch (error) {
    throw new UserError(
      `DATA_DIR: cannot write to ${cluster.logFile} (${(error as Error).message}).`,
    );
  }
}

/** One that is too long is copied and emptied, not renamed: the server that runs keeps it open, to append. */
export function rotateLog(cluster: Cluster, limitBytes = maxBytes): void {
  const { logFile, account } = cluster;
  const open: number[] = [];
  try {
    const log = openAccountFile(logFile, account);
    open.push(log);
    if (fstatSync(log).size <= limitBytes) return;
    const previous = openAccountFile(`${logFile}.1`, account);
    open.push(previous);
    ftruncateSync(previous);
    copy(log, previous);
    ftruncateSync(log);
  } catch {
    // It is tried again, and the server does not depend on it.
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

function copy(from: number, to: number): void {
  const piece = Buffer.alloc(1_048_576);
  for (let at = 0; ; ) {
    const length = readSync(from, piece, 0, piece.length, at);
    if (length === 0) return;
    writeSync(to, piece, 0, length);
    at += length;
  }
}

/** Why the server has ended, by what it has logged after its start. */
export async function lastFatal(logFile: string, from: number): Promise<string | undefined> {
  const log = await open(logFile);
  try {
    const lines: string[] = [];
    for await (const line of log.readLines({ start: from })) lines.push(line);
    return lines
      .findLast((line) => /FATAL|PANIC|could not|cannot/.test(line))
      ?.replace(/^.*?(FATAL|PANIC): +/, '');
  } finally {
    await log.close();
  }
}
