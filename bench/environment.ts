import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../server/src/platform/db/embedded/embedded-database.ts';
import { type DataSet, dataFolder } from './data/data-set.ts';
import type { Connection } from './database.ts';
import { copyFolder } from './files.ts';

/** What is measured: a copy of the data set, and its running database. */
export type Environment = Omit<DataSet, 'folder'> & {
  dataDir: string;
  logs: string;
  connection: Connection;
  /** The data folders of the servers that the database consists of. */
  postgresFolders: string[];
  /** Where the database is not the one of the data folder. */
  databaseUrl?: string;
};

/** On a copy, since measuring writes to the data set. */
export async function withEnvironment<Result>(
  set: DataSet,
  work: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  const { folder, ...description } = set;
  const runFolder = join(dataFolder, 'run');
  const dataDir = join(runFolder, 'data');
  await rm(runFolder, { recursive: true, force: true });
  await mkdir(runFolder);
  try {
    await copyFolder(folder, dataDir);
    const database = await openEmbedded(dataDir, 'command');
    try {
      const connection = database.superuser;
      return await work({
        ...description,
        dataDir,
        logs: join(runFolder, 'logs'),
        connection,
        postgresFolders: [join(dataDir, 'postgres')],
      });
    } finally {
      await database.close();
    }
  } finally {
    await rm(runFolder, { recursive: true, force: true });
  }
}
