import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { TestService } from '../test-service.ts';
import { storedFiles } from '../uploads.ts';
import { fleetSnapshots } from './fleet-snapshots.ts';
import { type ContractSeed, createRecords, type Values } from './seed.ts';

/**
 * `alone`: the provider has the records of the first round, and nobody else has any. `shared`: two others have all
 * of them as well, under the same ids with other content, and more that only they have.
 */
export type World = 'alone' | 'shared';

/** All that is kept: of the provider without ids and times that are new, of the others to the letter. */
type State = { own: string[]; others: string[] };

export type ContractData = {
  own: ProviderRef;
  /** Path parameters that name the provider's records. */
  values: Values;
  /** Those of records that only the others have: of a vehicle that all have, and of one of theirs. */
  foreign: readonly [Values, Values];
  /** Brings the records to where they were, unless the last state that was read says that they are there. */
  enter(world: World): Promise<State>;
  state(): Promise<State>;
  /** Brings the records to where they were the next time, whatever the last state was. */
  renew(): void;
  /** Hides ids and times that were made since the seeding. */
  stable(text: string): string;
};

// In the order of every index, and of every table, the rows of one come before the provider's and those of
// the other after them: so whoever takes the first or the last of too many takes a wrong one.
const others = ['AA-AAA', 'ZZ-ZZZ'] as const;

/** Seeds a provider through the interface, and the others with copies in the database. */
export async function seedContractData(
  service: TestService,
  seeds: readonly ContractSeed[],
  own: ProviderRef,
): Promise<ContractData> {
  await service.db.query(
    'insert into providers (id, name) select id, id from unnest($1::text[]) id on conflict do nothing',
    [others],
  );
  const snapshots = await fleetSnapshots(service.owner, `contract_${own.code.toLowerCase()}`);
  const createRound = async (round: 1 | 2 | 3) => {
    const made = await createRecords(service, seeds, own, round);
    await service.runJobs();
    // As after an upgrade.
    await service.db.query(
      `insert into charging_redetections (provider, vehicle_id)
       select provider, id from vehicles where provider = $1 on conflict do nothing`,
      [own.id],
    );
    // One event of each type: every state that is compared has them.
    await service.db.query(
      `delete from event_outbox o where exists (
         select from event_outbox p where p.provider = o.provider and p.type = o.type and p.id < o.id
       )`,
    );
    return made;
  };
  await snapshots.clear();
  const values = await createRound(1);
  await snapshots.take('own', own.id);
  const [second, third] = [await createRound(2), await createRound(3)];
  await snapshots.take('all', own.id);
  await snapshots.clear();
  for (const [index, provider] of others.entries()) {
    await snapshots.restore('all', provider);
    await snapshots.alter(provider, { flags: index === 0 });
    await snapshots.take(provider, provider);
  }
  await snapshots.restore('own', own.id);
  const files = await readFiles(service.blobFolder);

  const seededAt = Date.now();
  const seeded = JSON.stringify(await snapshots.rows());
  const known = new Set(seeded.match(uuids)?.map(idOf));
  const knownSecrets = new Set(seeded.match(secrets));
  const stable = (text: string) =>
    text
      .replaceAll(uuids, (uuid) => (known.has(idOf(uuid)) ? uuid : '<new>'))
      .replaceAll(secrets, (secret) => (knownSecrets.has(secret) ? secret : '<secret>'))
      .replaceAll(revocations, '<now>')
      .replaceAll(times, (time) => (Date.parse(time) > seededAt ? '<now>' : time))
      // Versions of what clients create under ids of their own begin with the time.
      .replaceAll(/\b\d{13}\b/g, (version) => (Number(version) > seededAt ? '<now>' : version));

  let entered: { world: World; state: State; isIntact: boolean } | undefined;

  async function state(): Promise<State> {
    const stored = (await storedFiles(service)).map((file) => `file ${file}`);
    const { true: mine = [], false: theirs = [] } = Object.groupBy(
      await snapshots.rows(),
      ({ provider }) => `${provider === own.id}` as const,
    );
    const versions = await service.db.query(
      'select provider, version::text from fleet_versions where provider <> $1 order by provider',
      [own.id],
    );
    const found = {
      own: [...mine.map(({ row }) => row), ...stored].map(stable).sort(),
      others: [...theirs.map(({ row }) => row), JSON.stringify(versions)].sort(),
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
    renew() {
      entered = undefined;
    },
    async enter(world) {
      if (!entered?.isIntact || entered.world !== world) {
        await snapshots.clear();
        const [before, after] = others;
        if (world === 'shared') await snapshots.restore(before, before);
        await snapshots.restore('own', own.id);
        if (world === 'shared') await snapshots.restore(after, after);
        await restoreFiles(service.blobFolder, files);
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

// Ids of clients, and tokens of 256 bits.
const secrets = /-[0-9a-f]{10}(?![0-9a-f])|(?<![\w-])[\w-]{43}(?![\w-])/g;
// Versions of tokens, which begin with the time in seconds.
const revocations = /(?<="version": )\d{8,9}\b/g;

function idOf(uuid: string): string {
  return uuid.slice(-36);
}

type StoredFile = { path: string; bytes: Buffer };

async function readFiles(folder: string): Promise<StoredFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((file) => join(file.parentPath, file.name));
  return Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(path) })));
}

/** The folders stay: the store knows which of them it has made. */
async function restoreFiles(folder: string, files: readonly StoredFile[]): Promise<void> {
  for (const { path } of await readFiles(folder)) await rm(path);
  for (const { path, bytes } of files) await writeFile(path, bytes);
}
