import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addClient } from '../../server/src/auth/clients.ts';
import { type OpenDatabase, openFor } from '../../server/src/commands/with-database.ts';
import { loadConfig } from '../../server/src/config.ts';
import { sealEventsJob } from '../../server/src/fleet/audit/seal-events.ts';
import { sequenceEventsJob } from '../../server/src/fleet/event-log/sequence-events-job.ts';
import { storedItem } from '../../server/src/fleet/vehicles/vehicle-item.ts';
import { openEmbedded } from '../../server/src/platform/db/embedded/embedded-database.ts';
import type { Queue } from '../../server/src/platform/jobs/queue.ts';
import { createLogger } from '../../server/src/platform/logger.ts';
import { startFleet } from '../../server/src/service.ts';
import { withDatabase as withSuperuser } from '../database.ts';
import { copyFolder } from '../files.ts';
import { log } from '../log.ts';
import { motorpool, root } from '../processes.ts';
import { writeRecords } from './records.ts';
import { spreadOverProviders } from './spread.ts';
import { writeVehicleFile } from './vehicles.ts';

/** The credentials of one provider. */
export type Access = {
  provider: { id: string; countryCode: string; code: string };
  clientId: string;
  clientSecret: string;
};

/** A data folder of the service, generated once and then only copied. */
export type DataSet = {
  folder: string;
  vehicles: number;
  idPrefix: string;
  /** The providers that are queried: all, or a hundred of many. */
  accesses: Access[];
};

export const dataFolder = join(root, 'bench/.data');
const idPrefix = 'DE*BNC*';
const provider = { id: 'DE-BNC', countryCode: 'DE', code: 'BNC' };

/** The data set of so many vehicles of so many providers; generated if missing. */
export async function dataSet(vehicles: number, providers = 1): Promise<DataSet> {
  const folder = join(dataFolder, `${vehicles}-${providers}-${version()}`);
  if (!existsSync(folder)) {
    const building = `${folder}.building`;
    await removeOthers(`${vehicles}-${providers}-`);
    log(`generating ${folder} …`);
    if (providers === 1) await generateFleet(building, vehicles);
    else await generateProviders(building, vehicles, providers);
    await rename(building, folder);
  }
  const accesses = JSON.parse(await readFile(join(folder, 'accesses.json'), 'utf8'));
  return { folder, vehicles, idPrefix, accesses };
}

/** Removes other versions and interrupted builds. */
async function removeOthers(prefix: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true });
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith(prefix)) await rm(join(dataFolder, name), { recursive: true });
  }
}

async function generateFleet(folder: string, vehicles: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await importFleet(folder, vehicles);
  await withDatabase(folder, async (db, queue) => {
    await queue.drain();
    await writeRecords(db, provider.id, vehicles, idPrefix);
    const { id, secret = '' } = await addClient(db, provider.id, { name: 'Bench' });
    await writeAccesses(folder, [{ provider, clientId: id, clientSecret: secret }]);
    await processEvents(db, queue);
    await db.owner.queryUnprepared('vacuum (analyze)');
  });
}

/** Adds a provider and imports its vehicles; returns the seconds of the import. */
export async function importFleet(folder: string, vehicles: number): Promise<number> {
  const { countryCode, code } = provider;
  const file = join(folder, 'vehicles.csv');
  const env = { DATA_DIR: folder };
  await writeVehicleFile(file, vehicles, idPrefix);
  // For the comparison with COPY, the database reads it as another account.
  await chmod(file, 0o644);
  await motorpool(['provider', 'add', countryCode, code, '--name', 'Bench'], env);
  const startedAt = performance.now();
  await motorpool(['import', 'vehicles', countryCode, code, file], env);
  return (performance.now() - startedAt) / 1_000;
}

async function generateProviders(
  folder: string,
  vehicles: number,
  providers: number,
): Promise<void> {
  const { folder: single } = await dataSet(vehicles);
  await copyFolder(single, folder);
  await withDatabase(folder, async (db, queue) => {
    const embedded = await openEmbedded(folder, 'command');
    const accesses = await withSuperuser(embedded.superuser, (superuser) =>
      spreadOverProviders(db, superuser, provider.id, providers),
    ).finally(embedded.close);
    await writeAccesses(folder, accesses);
    await processEvents(db, queue);
    await db.owner.queryUnprepared('vacuum (full, analyze)');
  });
}

/** As where the service has run for a while: all events are numbered and sealed, which it does each minute. */
async function processEvents(db: OpenDatabase, queue: Queue): Promise<void> {
  await queue.add(db, sequenceEventsJob, {});
  await queue.add(db, sealEventsJob, {});
  await queue.drain();
}

function writeAccesses(folder: string, accesses: Access[]): Promise<void> {
  return writeFile(join(folder, 'accesses.json'), JSON.stringify(accesses));
}

async function withDatabase(
  folder: string,
  work: (db: OpenDatabase, queue: Queue) => Promise<void>,
): Promise<void> {
  const config = loadConfig({ DATA_DIR: folder, STATEMENT_TIMEOUT_MS: '3600000' });
  const db = await openFor(config, 'command');
  const { queue } = await startFleet(config, db, createLogger('warn'), false);
  try {
    await work(db, queue);
  } finally {
    await queue.close();
    await db.close();
  }
}

/** Depends on the schema, the generators and the rendered item. */
function version(): string {
  const hash = createHash('sha256').update(storedItem());
  for (const folder of [join(root, 'server/migrations'), import.meta.dirname]) {
    for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 8);
}
