import {
  closeSync,
  copyFileSync,
  fchownSync,
  fstatSync,
  openSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { UserError } from '../../user-error.ts';
import type { Cluster } from './cluster.ts';

const maxBytes = 10 * 1_048_576;

/** Owned by the account, which may start the server itself next time. */
export function openLog(cluster: Cluster): { fd: number; size: number } {
  try {
    rotateLog(cluster);
    return openForAppending(cluster, cluster.logFile);
  } catch (error) {
    throw new UserError(
      `DATA_DIR: cannot write to ${cluster.logFile} (${(error as Error).message}).`,
    );
  }
}

/** One that is too long is copied and emptied, not renamed: the server that runs keeps it open, to append. */
export function rotateLog(cluster: Cluster, limitBytes = maxBytes): void {
  const { logFile } = cluster;
  try {
    if (statSync(logFile).size <= limitBytes) return;
    const previous = `${logFile}.1`;
    closeSync(openForAppending(cluster, previous).fd);
    copyFileSync(logFile, previous);
    truncateSync(logFile);
  } catch {
    // It is tried again, and the server does not depend on it.
  }
}

function openForAppending({ account }: Cluster, file: string): { fd: number; size: number } {
  const fd = openSync(file, 'a', 0o600);
  if (account) fchownSync(fd, account.uid, account.gid);
  return { fd, size: fstatSync(fd).size };
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
