import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { oncePerRun } from '../once-per-run.ts';
import { pathsBelow } from '../paths-below.ts';
import type { TestService } from '../test-service.ts';
import type { FleetSnapshots } from './fleet-snapshots.ts';
import { type ContractSeed, createRecords, type Values } from './seed.ts';

export type SeededRecords = {
  values: Values;
  foreign: readonly [Values, Values];
  seededAt: number;
  files: StoredFile[];
};

/** Its path in the folder of the store, and its bytes in base64. */
export type StoredFile = { path: string; bytes: string };

// In the order of every index, and of every table, the rows of one come before the provider's and those of
// the other after them: so whoever takes the first or the last of too many takes a wrong one.
export const others = ['AA-AAA', 'ZZ-ZZZ'] as const;

const taken = ['own', ...others];

/** The snapshots `own` and, with others, of both; seeded by the first test file that needs them, and copied by the next ones. */
export async function seededRecords(
  service: TestService,
  seeds: readonly ContractSeed[],
  own: ProviderRef,
  snapshots: FleetSnapshots,
  withOthers: boolean,
): Promise<SeededRecords> {
  if (!withOthers) return seed(service, seeds, own, snapshots, withOthers);
  let made: SeededRecords | undefined;
  const file = await oncePerRun(`contract-records-${own.id}.json`, async (path) => {
    made = await seed(service, seeds, own, snapshots, withOthers);
    await writeFile(path, JSON.stringify({ ...made, dumped: await snapshots.dump(taken) }));
  });
  if (made) return made;
  const { dumped, ...records } = JSON.parse(await readFile(file, 'utf8'));
  await snapshots.load(taken, dumped);
  return records;
}

/** Seeds a provider through the interface, and the others with copies in the database. */
async function seed(
  service: TestService,
  seeds: readonly ContractSeed[],
  own: ProviderRef,
  snapshots: FleetSnapshots,
  withOthers: boolean,
): Promise<SeededRecords> {
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
    // Whoever reads them first would number them.
    await sequenceEvents(service.db, own.id);
    return made;
  };
  await snapshots.restore([]);
  const values = await createRound(1);
  await snapshots.take('own', own.id);
  const seeded = async (foreign: SeededRecords['foreign']): Promise<SeededRecords> => ({
    values,
    foreign,
    seededAt: Date.now(),
    files: await readFiles(service.blobFolder),
  });
  if (!withOthers) return seeded([{}, {}]);
  const [second, third] = [await createRound(2), await createRound(3)];
  await snapshots.take('all', own.id);
  for (const [index, provider] of others.entries()) {
    await snapshots.restore([{ as: 'all', provider }]);
    await snapshots.alter(provider, { flags: index === 0 });
    await snapshots.take(provider, provider);
  }
  return seeded([{ ...third, ...second }, third]);
}

async function readFiles(folder: string): Promise<StoredFile[]> {
  return Promise.all(
    pathsBelow(folder).map(async (path) => ({
      path,
      bytes: await readFile(join(folder, path), 'base64'),
    })),
  );
}

/** Files are written once: one that is there has its bytes. The folders stay, which the store may know. */
export async function restoreFiles(folder: string, files: readonly StoredFile[]): Promise<void> {
  const wanted = new Map(files.map(({ path, bytes }) => [path, bytes]));
  for (const path of pathsBelow(folder)) {
    if (!wanted.delete(path)) await rm(join(folder, path));
  }
  for (const [path, bytes] of wanted) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes, 'base64');
  }
}
