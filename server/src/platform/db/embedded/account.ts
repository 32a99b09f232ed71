import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The unprivileged account that PostgreSQL runs as when the service is root, which PostgreSQL refuses. */
export type Account = { uid: number; gid: number };

const preferredNames = ['motorpool', 'postgres', 'nobody'];

/** Only root needs one. An existing data folder keeps its owner. */
export function accountFor(pgData: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(pgData)) {
    const { uid, gid } = statSync(pgData);
    if (uid !== 0) return { uid, gid };
  }
  const known = passwdEntries();
  for (const name of preferredNames) {
    const account = known.get(name);
    if (account) return account;
  }
  return { uid: 65534, gid: 65534 };
}

export function hasPasswdEntry(uid: number): boolean {
  return [...passwdEntries().values()].some((account) => account.uid === uid);
}

function passwdEntries(): Map<string, Account> {
  const entries = new Map<string, Account>();
  if (!existsSync('/etc/passwd')) return entries;
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) entries.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return entries;
}

/** Whether the account (or this process, without one) may traverse the path and read its target. */
export function canReach(path: string, account: Account | undefined): boolean {
  if (!account) return existsSync(path);
  for (let at = resolve(path), required = 0o5; ; at = dirname(at), required = 0o1) {
    if (!existsSync(at)) return false;
    const { uid, gid, mode } = statSync(at);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & required) !== required) return false;
    if (at === dirname(at)) return true;
  }
}
