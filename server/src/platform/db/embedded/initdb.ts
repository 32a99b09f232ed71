import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { chown, mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UserError } from '../../user-error.ts';
import { hasPasswdEntry } from './account.ts';
import { makeBuildFolder, removeBuildFolder } from './build-folder.ts';
import type { Cluster } from './cluster.ts';
import { spawnProgram } from './program.ts';

export const superuser = 'motorpool';
export const passwordFile = 'motorpool-password';

/** Makes the data folder; aside and renamed, so that a folder of its name is always a whole one. */
export async function initialise(cluster: Cluster): Promise<void> {
  const { dataDir, pgData, account } = cluster;
  refuseNameless(account?.uid ?? process.getuid?.() ?? 0, dataDir);
  refuseUnwritable(dataDir);
  const building = await makeBuildFolder(join(dataDir, 'initdb-'));
  try {
    const made = join(building, 'data');
    const secret = join(building, 'password');
    const kept = join(made, passwordFile);
    const password = randomBytes(32).toString('base64url');
    const handOver = async (path: string) => account && chown(path, account.uid, account.gid);
    await mkdir(made, { mode: 0o700 });
    await writeFile(secret, password, { mode: 0o600 });
    for (const path of [building, made, secret]) await handOver(path);
    await runInitdb(cluster, made, secret);
    await writeFile(kept, password, { mode: 0o600, flush: true });
    await handOver(kept);
    await rename(made, pgData).catch((error) => {
      // Another process was first; its folder is as good as ours.
      if (!existsSync(join(pgData, 'PG_VERSION'))) throw error;
    });
  } finally {
    await removeBuildFolder(building);
  }
}

async function runInitdb(cluster: Cluster, made: string, secret: string): Promise<void> {
  const handle = await open(secret);
  try {
    const initdb = spawnProgram(
      cluster,
      'initdb',
      made,
      (folder) => [
        `--pgdata=${folder}`,
        `--username=${superuser}`,
        // Open already: the account may not be able to reach it by its path.
        '--pwfile=/dev/fd/3',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Independent of the machine's locales and their versions: an index never goes stale.
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-instructions',
      ],
      ['ignore', 'ignore', 'pipe', handle.fd],
    );
    const [said, [code]] = await Promise.all([
      text(initdb.stderr as Readable),
      once(initdb, 'close'),
    ]);
    if (code !== 0) throw new Error(said.trim().split('\n').at(-1) || `initdb ended with ${code}`);
  } catch (error) {
    throw new UserError(
      `The embedded PostgreSQL could not make its data folder: ${(error as Error).message}`,
    );
  } finally {
    await handle.close();
  }
}

function refuseNameless(uid: number, dataDir: string): void {
  if (hasPasswdEntry(uid) || !existsSync('/etc/passwd')) return;
  throw new UserError(
    `PostgreSQL cannot make its data folder as uid ${uid}, which has no entry in /etc/passwd: ` +
      `add one (echo "motorpool:x:${uid}:${process.getgid?.() ?? uid}::${dataDir}:/bin/sh" >> /etc/passwd) or set DATABASE_URL.`,
  );
}

function refuseUnwritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UserError(
      `DATA_DIR: cannot write to ${dataDir} (${(error as Error).message}): make it writable or set another one.`,
    );
  }
}
