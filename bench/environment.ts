import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../server/src/platform/db/embedded/embedded-database.ts';
import { type DataSet, dataFolder } from './data/data-set.ts';
import type { Connection } from './database.ts';
import { copyFolder } from './files.ts';

/** What everything measured stands on: a copy of the data, and its database running. */
export type Environment = Omit<DataSet, 'folder'> & {
  dataDir: string;
  logs: string;
  connection: Connection;
};

/** Measuring writes, so it gets a copy: the data set stays as it was made. */
export async function withBed<Result>(
  set: DataSet,
  work: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  const { folder, ...known } = set;
  const place = join(dataFolder, 'run');
  const dataDir = join(place, 'data');
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
  try {
    await copyFolder(folder, dataDir);
    const database = await openEmbedded(dataDir, 'command');
    try {
      const { connection } = database;
      return await work({ ...known, dataDir, logs: join(place, 'logs'), connection });
    } finally {
      await database.close();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
