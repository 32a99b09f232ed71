import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { chown, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UserError } from '../../user-error.ts';
import { hasPasswdEntry } from './account.ts';
import { writeAccountFile } from './account-files.ts';
import { makeBuildFolder, removeBuildFolder } from './build-folder.ts';
import type { Cluster } from './cluster.ts';
import { spawnProgram } from './program.ts';
import { passwordFileOf, roles } from './roles.ts';

/** Builds the data folder elsewhere and renames it, so that it is complete wherever it exists. */
export async function initialise(cluster: Cluster): Promise<void> {
  const { dataDir, pgData, account } = cluster;
  requirePasswdEntry(account?.uid ?? process.getuid?.() ?? 0, dataDir);
  requireWritable(dataDir);
  const building = await makeBuildFolder(join(dataDir, 'initdb-'));
  try {
    const newData = join(building, 'data');
    const passwordInput = join(building, 'password');
    const storedPassword = join(newData, passwordFileOf(roles.superuser));
    const password = randomBytes(32).toString('base64url');
    await mkdir(newData, { mode: 0o700 });
    // The one around it stays ours: what is renamed below is what is made here.
    if (account) await chown(newData, account.uid, account.gid);
    writeAccountFile(passwordInput, password, account);
    await runInitdb(cluster, newData, passwordInput);
    writeAccountFile(storedPassword, password, account);
    await rename(newData, pgData).catch((error) => {
      // Another process was first; its folder is used.
      if (!existsSync(join(pgData, 'PG_VERSION'))) throw error;
    });
  } finally {
    await removeBuildFolder(building);
  }
}

async function runInitdb(cluster: Cluster, newData: string, passwordInput: string): Promise<void> {
  const handle = await open(passwordInput);
  try {
    const initdb = spawnProgram(
      cluster,
      'initdb',
      newData,
      (folder) => [
        `--pgdata=${folder}`,
        `--username=${roles.superuser}`,
        // As an open descriptor: the account may not be able to reach its path.
        '--pwfile=/dev/fd/3',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Independent of the system's locales, whose updates would invalidate indexes.
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-instructions',
      ],
      ['ignore', 'ignore', 'pipe', handle.fd],
    );
    const [errorOutput, [code]] = await Promise.all([
      text(initdb.stderr as Readable),
      once(initdb, 'close'),
    ]);
    if (code !== 0)
      throw new Error(errorOutput.trim().split('\n').at(-1) || `initdb ended with ${code}`);
  } catch (error) {
    throw new UserError(
      `The embedded PostgreSQL could not make its data folder: ${(error as Error).message}`,
    );
  } finally {
    await handle.close();
  }
}

function requirePasswdEntry(uid: number, dataDir: string): void {
  if (hasPasswdEntry(uid) || !existsSync('/etc/passwd')) return;
  throw new UserError(
    `PostgreSQL cannot make its data folder as uid ${uid}, which has no entry in /etc/passwd: ` +
      `add one (echo "motorpool:x:${uid}:${process.getgid?.() ?? uid}::${dataDir}:/bin/sh" >> /etc/passwd) or set DATABASE_URL.`,
  );
}

function requireWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UserError(
      `DATA_DIR: cannot write to ${dataDir} (${(error as Error).message}): make it writable or set another one.`,
    );
  }
}
