import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { TestService } from '../test-service.ts';
import { storedFiles } from '../uploads.ts';
import { fleetSnapshots } from './fleet-snapshots.ts';
import { type ContractSeed, createRecords, type Values } from './seed.ts';

/**
 * `alone`: the provider has the records of the first round, and nobody else has any. `shared`: another one
 * has all of them as well, under the same ids with other content, and more that only it has.
 */
export type World = 'alone' | 'shared';

/** All that is kept: of the provider without ids and times that are new, of the other one to the letter. */
export type State = { own: string[]; other: string[] };

export type TwoProviders = {
  own: ProviderRef;
  /** Path parameters that name the provider's records. */
  values: Values;
  /** Those of the other one's records: of a vehicle that both have, and of one that only it has. */
  foreign: readonly [Values, Values];
  /** Brings the records to where they were, unless the last state that was read says that they are there. */
  enter(world: World): Promise<State>;
  state(): Promise<State>;
  /** Hides ids and times that were made since the seeding. */
  stable(text: string): string;
};

/** Seeds a provider through the interface, and another one with copies in the database. */
export async function seedTwoProviders(
  service: TestService,
  seeds: readonly ContractSeed[],
  own: ProviderRef,
  other: ProviderRef,
): Promise<TwoProviders> {
  const snapshots = await fleetSnapshots(service.db, `contract_${own.code.toLowerCase()}`);
  const keptFiles = `${service.blobFolder}-${own.code}`;
  const createRound = async (round: 1 | 2 | 3) => {
    const made = await createRecords(service, seeds, own, round);
    await service.runJobs();
    return made;
  };
  await snapshots.clear();
  const values = await createRound(1);
  await snapshots.take('own', own.id);
  const [second, third] = [await createRound(2), await createRound(3)];
  await snapshots.take('other', own.id);
  await snapshots.clear();
  await snapshots.restore('other', other.id);
  await snapshots.alter('own', other.id);
  await snapshots.take('other', other.id);
  await snapshots.restore('own', own.id);
  await cp(service.blobFolder, keptFiles, { recursive: true });

  const seededAt = Date.now();
  const seeded = [...(await snapshots.rows(own.id)), ...(await snapshots.rows(other.id))];
  const known = new Set(seeded.join().match(uuids)?.map(idOf));
  const stable = (text: string) =>
    text
      .replaceAll(uuids, (uuid) => (known.has(idOf(uuid)) ? uuid : '<new>'))
      .replaceAll(times, (time) => (Date.parse(time) > seededAt ? '<now>' : time));

  let entered: { world: World; state: State; isIntact: boolean } | undefined;

  async function state(): Promise<State> {
    const files = (await storedFiles(service)).map((file) => `file ${file}`);
    const rows = await snapshots.rows(own.id);
    const versions = await service.db.query<{ version: string }>(
      'select version::text from fleet_versions where provider = $1',
      [other.id],
    );
    const found = {
      own: [...rows, ...files].map(stable).sort(),
      other: [...(await snapshots.rows(other.id)), JSON.stringify(versions)].sort(),
    };
    if (entered) entered.isIntact = isDeepStrictEqual(found, entered.state);
    return found;
  }

  return {
    own,
    values,
    foreign: [{ ...third, ...second }, third],
    stable,
    state,
    async enter(world) {
      if (!entered?.isIntact || entered.world !== world) {
        await snapshots.clear();
        await snapshots.restore('own', own.id);
        if (world === 'shared') await snapshots.restore('other', other.id);
        await restoreFiles(service.blobFolder, keptFiles);
        entered = { world, state: await state(), isIntact: true };
      }
      entered.isIntact = false;
      return entered.state;
    },
  };
}

// With the folder that a stored file has by the first letters of its key.
const uuids = /(?:[0-9a-f]{2}\/)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;

function idOf(uuid: string): string {
  return uuid.slice(-36);
}

/** The folders stay: the store knows which of them it has made. */
async function restoreFiles(folder: string, kept: string): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of found.filter((entry) => entry.isFile()))
    await rm(join(parentPath, name));
  await cp(kept, folder, { recursive: true });
}
