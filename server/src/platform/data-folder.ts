import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from './user-error.ts';

/**
 * To be called before anything in the folder is used. As root it has to be root's alone: links that others put there would lead root to
 * any file, and folders that they move away to any folder.
 */
export function requireOwnDataFolder(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found || (found.uid === 0 && !isWritableByOthers(found))) return;
  const folder = resolve(dataDir);
  const { uid } = found;
  throw new UserError(
    uid === 0
      ? `Others than root may write to ${folder}, so root does not use it as DATA_DIR: make it root's alone (chmod go-w), or set another one.`
      : `${folder} belongs to uid ${uid}, so root does not use it as DATA_DIR: run this as its owner (${asOwner(uid)}), make it root's ` +
          '(chown root), or set another one.',
  );
}

function isWritableByOthers({ mode, gid }: { mode: number; gid: number }): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
}

function asOwner(uid: number): string {
  const name = nameOf(uid);
  if (process.platform !== 'linux') return `sudo -u '#${uid}' …`;
  return name === undefined ? `in a container, with --user ${uid}` : `runuser -u ${name} -- …`;
}

function nameOf(uid: number): string | undefined {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return lines.find((line) => line.split(':')[2] === String(uid))?.split(':')[0];
  } catch {
    return undefined;
  }
}
