import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { requireOwnDataFolder } from '../data-folder.ts';
import type { Database } from '../db/database.ts';
import { UserError } from '../user-error.ts';
import { createSecretBox, keyBytes, type SecretBox } from './secret-box.ts';

export type SecretKeys = readonly [Buffer, ...Buffer[]];

export type SecretSettings = {
  /** SECRETS_KEY; without it, the file of the data folder has the keys. */
  secretKeys: SecretKeys | undefined;
  dataDir: string;
};

const secretKeysLock = 7_007;
/** A link that others may have put there is not followed, but refused. */
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Keys of 32 bytes in base64 or hexadecimal, separated by commas or blanks. */
export function parseSecretKeys(text: string): SecretKeys {
  const [first, ...others] = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseKey);
  // The messages do not repeat the value, which is secret.
  if (!first) throw new Error('must have a key of 32 bytes.');
  return [first, ...others];
}

function parseKey(text: string): Buffer {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (key.length !== keyBytes || (!isHex && !/^[\w+/-]{43}=?$/.test(text)))
    throw new Error(
      'must be keys of 32 bytes in base64 or hexadecimal, such as "openssl rand -base64 32" prints.',
    );
  return key;
}

/**
 * The keys of this process, which must include those that the database's secrets are sealed under. A database without
 * any gets those of this process; the lock lets one process at a time decide.
 */
export async function openSecretBox(db: Database, settings: SecretSettings): Promise<SecretBox> {
  const file = join(resolve(settings.dataDir), 'secrets.key');
  if (!settings.secretKeys) requireOwnDataFolder(settings.dataDir);
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [secretKeysLock]);
    const used = await tx.query<{ id: string }>('select id from secret_keys order by created_at');
    const keys =
      settings.secretKeys ??
      (await readKeyFile(file)) ??
      (used.length === 0 ? await createKeyFile(file) : undefined);
    const box = keys && createSecretBox(keys);
    const unknown = used.find(({ id }) => !box?.hasKey(id));
    if (!box || unknown) {
      const source = settings.secretKeys ? 'SECRETS_KEY' : file;
      throw new UserError(
        `The secrets of the database are sealed under the key ${unknown?.id}, which ${source} does not have: ` +
          'set SECRETS_KEY to the key of the other processes (the content of the file secrets.key in their DATA_DIR).',
      );
    }
    await tx.query('insert into secret_keys (id) values ($1) on conflict do nothing', [box.keyId]);
    return box;
  });
}

/** Those of the keys that this process does not have. */
export async function findMissingKeys(
  ids: readonly string[],
  settings: SecretSettings,
): Promise<string[]> {
  const keys =
    settings.secretKeys ?? (await readKeyFile(join(resolve(settings.dataDir), 'secrets.key')));
  const box = keys && createSecretBox(keys);
  return ids.filter((id) => !box?.hasKey(id));
}

async function readKeyFile(file: string): Promise<SecretKeys | undefined> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0)
      throw new UserError(
        `${file} can be read by others: keep it to its owner (chmod 600 ${file}).`,
      );
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof UserError) throw error;
    throw new UserError(
      `${file} cannot be read (${(error as Error).message}): start as its owner, or set SECRETS_KEY.`,
    );
  }
  try {
    return parseSecretKeys(text);
  } catch (error) {
    throw new UserError(`${file}: ${(error as Error).message}`);
  }
}

async function createKeyFile(file: string): Promise<SecretKeys | undefined> {
  const building = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await rm(building, { force: true });
    const handle = await open(building, newFile, 0o600);
    try {
      await handle.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`);
      await handle.chmod(0o600);
      await keepOwner(handle, dirname(file));
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Fails when another process was first, whose file is used.
    await link(building, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw new UserError(
      `${file} cannot be written (${(error as Error).message}): make DATA_DIR writable, or set SECRETS_KEY.`,
    );
  } finally {
    await rm(building, { force: true });
  }
  return readKeyFile(file);
}

/** What root creates beside an embedded database, the account of that database may use without root. */
async function keepOwner(file: FileHandle, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await lstat(join(folder, 'postgres')).catch(() => undefined);
  if (owner) await file.chown(owner.uid, owner.gid);
}
