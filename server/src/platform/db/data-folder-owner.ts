import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, canReach } from './embedded/account.ts';

/**
 * As root on the data folder of another account, the process becomes that account, for good: links that the account has put
 * there would otherwise lead root to any file. It stays root where the account could not run this program, as with a folder that a
 * container has mounted, and where PostgreSQL’s part of the folder has another owner.
 */
export function becomeOwnerOf(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = ownerOf(dataDir);
  if (!owner || owner.uid === 0 || !canRunThis(owner)) return;
  const ofPostgres = ownerOf(join(dataDir, 'postgres'));
  if (ofPostgres && ofPostgres.uid !== owner.uid) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
  became = owner.uid;
}

/** What to say where a file of the command line cannot be opened: root could have. */
export function explainOwner(code: string | undefined): string {
  if (became === undefined || (code !== 'EACCES' && code !== 'EPERM')) return '';
  return `; as root on a DATA_DIR of uid ${became}, this runs as that account: - is standard input or output, to redirect`;
}

let became: number | undefined;

function ownerOf(folder: string): Account | undefined {
  const { uid, gid } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function canRunThis(account: Account): boolean {
  return canReach(process.execPath, account) && canReach(import.meta.dirname, account);
}
