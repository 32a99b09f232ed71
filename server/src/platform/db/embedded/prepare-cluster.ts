import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requireOwnDataFolder } from '../../data-folder.ts';
import { UserError } from '../../user-error.ts';
import { accountFor } from './account.ts';
import { packagedPostgres, runnablePostgres } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { initialise } from './initdb.ts';

export async function prepareCluster(
  dataDir: string,
  parameters: Record<string, string> = {},
  packaged: string = packagedPostgres(),
): Promise<Cluster> {
  const pgData = join(dataDir, 'postgres');
  requireOwnDataFolder(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new UserError(
      `DATA_DIR: cannot make the folder ${dataDir} (${(error as Error).message}).`,
    );
  }
  const account = accountFor(pgData);
  const programs = join(await runnablePostgres(packaged, dataDir, account), 'bin');
  const logFile = join(dataDir, 'postgres.log');
  const cluster = { dataDir, pgData, logFile, programs, account, parameters };
  if (existsSync(pgData)) refuseForeignOwner(cluster);
  else await initialise(cluster);
  return cluster;
}

function refuseForeignOwner({ pgData }: Cluster): void {
  const ours = process.getuid?.();
  const owner = statSync(pgData).uid;
  if (ours !== undefined && ours !== 0 && owner !== ours) {
    throw new UserError(
      `${pgData} belongs to uid ${owner}, and this is uid ${ours}: start as its owner or as root, or set another DATA_DIR.`,
    );
  }
}
