import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCitusCluster, stopCitusCluster } from '../../server/src/testing/citus-cluster.ts';
import { createDatabases } from '../../server/src/testing/citus-databases.ts';
import { dataSet } from '../data/data-set.ts';
import { type Environment, withEnvironment } from '../environment.ts';
import { log } from '../log.ts';
import type { Pace } from '../measure.ts';
import { motorpool } from '../processes.ts';
import { scenarioNamed } from '../scenarios.ts';
import { type Column, measureScenarios } from './growth.ts';

const firstPort = 9_740;
const providerCount = 100;
const scenarios = [
  'find: rare text, 25',
  'find: by odometer, 25',
  'read a vehicle and its status',
  'token request',
].map(scenarioNamed);

/** The same rows of many providers on one server, and on a coordinator with two workers: the servers are equal. */
export async function measureCluster(vehicles: number, pace: Pace): Promise<Column[]> {
  const folder = await mkdtemp(join(tmpdir(), 'motorpool-bench-citus-'));
  // The servers run as another account.
  await chmod(folder, 0o755);
  try {
    return await withEnvironment(await dataSet(vehicles, providerCount), async (environment) => {
      const backup = join(folder, 'backup.tar.gz');
      await motorpool(['backup', backup], { DATA_DIR: environment.dataDir });
      const cluster = await startCitusCluster(join(folder, 'nodes'), firstPort, []);
      const [coordinator = ''] = cluster.folders;
      const columns: Column[] = [];
      for (const [label, name, postgresFolders] of [
        ['one server', 'one_server', [coordinator]],
        ['coordinator and two workers', 'sharded', cluster.folders],
      ] as const) {
        const isSharded = postgresFolders.length > 1;
        const databaseUrl = await createDatabases(cluster.url, name, isSharded);
        const env = { DATA_DIR: environment.dataDir, DATABASE_URL: databaseUrl };
        log(await motorpool(['restore', backup], env));
        if (isSharded) log(await motorpool(['shard'], env));
        const measured: Environment = {
          ...environment,
          databaseUrl,
          postgresFolders: [...postgresFolders],
        };
        columns.push(await measureScenarios(label, scenarios, measured, pace));
      }
      return columns;
    });
  } finally {
    stopCitusCluster(join(folder, 'nodes'));
    await rm(folder, { recursive: true });
  }
}
