import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { Account } from './account.ts';

/**
 * Files of a folder that an account owns, which may have put anything there: root follows no links of it, and neither reads
 * nor changes what is not the account's.
 */

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

export function readAccountFile(file: string, account: Account | undefined): string {
  const fd = openSync(file, O_RDONLY | noLinks(account));
  try {
    requireOwned(fd, file, account);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** A new one, in place of any other. */
export function writeAccountFile(
  file: string,
  content: string,
  account: Account | undefined,
): void {
  rmSync(file, { force: true });
  const fd = openSync(file, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    writeSync(fd, content);
    if (account) fchownSync(fd, account.uid, account.gid);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** To be read and appended to; one that is not there is made. */
export function openAccountFile(file: string, account: Account | undefined): number {
  const fd = openSync(file, O_RDWR | O_APPEND | O_CREAT | noLinks(account), 0o600);
  try {
    // Before it is the account's, one that root has made just now, or in a release that left it so.
    if (account && fstatSync(fd).uid === 0 && fstatSync(fd).nlink === 1)
      fchownSync(fd, account.uid, account.gid);
    requireOwned(fd, file, account);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Whoever is no root may have links there, such as to another disk. Pipes are not waited for. */
function noLinks(account: Account | undefined): number {
  return account ? O_NOFOLLOW | O_NONBLOCK : O_NONBLOCK;
}

function requireOwned(fd: number, file: string, account: Account | undefined): void {
  const found = fstatSync(fd);
  if (!found.isFile()) throw new Error(`${file} is no regular file`);
  if (account && found.uid !== account.uid)
    throw new Error(
      `${file} belongs to uid ${found.uid}, and is not taken for that of uid ${account.uid}`,
    );
}
