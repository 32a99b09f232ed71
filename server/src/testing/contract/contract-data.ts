import type { ProviderRef } from '../../platform/http/operation.ts';
import type { TestService } from '../test-service.ts';
import { deleteReleasedBytes, storedFiles } from '../uploads.ts';
import { type FleetRow, fleetSnapshots } from './fleet-snapshots.ts';
import type { ContractSeed, Values } from './seed.ts';
import { others, restoreFiles, seededRecords } from './seeded-records.ts';

/**
 * `alone`: the provider has the records of the first round, and nobody else has any. `shared`: two others have all
 * of them as well, under the same ids with other content, and more that only they have.
 */
export type World = 'alone' | 'shared';

/** All that is kept: of the provider without ids and times that are new, of the others to the letter. */
type State = { own: string[]; others: string[] };

/** The records of a world as they are restored, by table. */
type Restored = { versions: Map<string, string>; tables: Map<string, State> };

export type ContractData = {
  own: ProviderRef;
  /** Path parameters that name the provider's records. */
  values: Values;
  /** Those of records that only the others have: of a vehicle that all have, and of one of theirs. */
  foreign: readonly [Values, Values];
  /** Brings the records to where they were: the tables that have changed; settled when nothing was sent since `state`. */
  enter(world: World, settled?: boolean): Promise<State>;
  state(): Promise<State>;
  /** The next time, all records are restored and all versions new, even if nothing has changed. */
  renew(): void;
  /** Hides the address of the service, and ids and times that were made since the seeding. */
  stable(text: string): string;
};

/** The records of a provider and of two others, in a service whose database has none. */
export async function seedContractData(
  service: TestService,
  seeds: readonly ContractSeed[],
  own: ProviderRef,
  /** Without them, the world is `alone`. */
  { withOthers = true } = {},
): Promise<ContractData> {
  await service.db.query(
    'insert into providers (id, name) select id, id from unnest($1::text[]) id on conflict do nothing',
    [others],
  );
  const snapshots = await fleetSnapshots(service.owner, `contract_${own.code.toLowerCase()}`);
  const { values, foreign, seededAt, files } = await seededRecords(
    service,
    seeds,
    own,
    snapshots,
    withOthers,
  );
  const mine = { as: 'own', provider: own.id };
  const [before, after] = others.map((provider) => ({ as: provider, provider }));
  const copies = {
    alone: [mine],
    shared: [before, mine, after].filter((copy) => copy !== undefined),
  };

  await snapshots.restore(copies.alone);
  const seeded = JSON.stringify(await snapshots.rows());
  const known = new Set(seeded.match(uuids)?.map(idOf));
  const knownSecrets = new Set(seeded.match(secrets));
  const stable = (text: string) =>
    text
      .replaceAll(addresses, '<service>')
      .replaceAll(uuids, (uuid) => (known.has(idOf(uuid)) ? uuid : '<new>'))
      .replaceAll(secrets, (secret) => (knownSecrets.has(secret) ? secret : '<secret>'))
      .replaceAll(revocations, '<now>')
      .replaceAll(times, (time) => (Date.parse(time) > seededAt ? '<now>' : time))
      // Versions of what clients create under ids of their own begin with the time.
      .replaceAll(/\b\d{13}\b/g, (version) => (Number(version) > seededAt ? '<now>' : version));

  const worlds = new Map<World, Restored>();
  let entered: Restored | undefined;
  /** What `state` found, with the tables that had changed. */
  let last: { of: Restored; changed: string[] } | undefined;
  let isRenewed = false;

  const ofTable = (rows: readonly FleetRow[]): State => ({
    own: rows
      .filter(({ provider }) => provider === own.id)
      .map(({ row }) => stable(row))
      .sort(),
    others: rows
      .filter(({ provider }) => provider !== own.id)
      .map(({ row }) => row)
      .sort(),
  });

  async function byTable(names: readonly string[]): Promise<Map<string, State>> {
    const found = Map.groupBy(await snapshots.rows(names), ({ name }) => name);
    return new Map(names.map((name) => [name, ofTable(found.get(name) ?? [])]));
  }

  /** The tables that were written since they were restored. */
  async function changedSince({ versions }: Restored): Promise<string[]> {
    await deleteReleasedBytes(service);
    const found = await snapshots.versions();
    return snapshots.names.filter((name) => found.get(name) !== versions.get(name));
  }

  async function withFiles(tables: Map<string, State>): Promise<State> {
    const stored = (await storedFiles(service)).map((file) => stable(`file ${file}`)).sort();
    const versions = await service.db.query(
      'select provider, version::text from fleet_versions where provider <> $1 order by provider',
      [own.id],
    );
    const all = snapshots.names.flatMap((name) => tables.get(name) ?? []);
    return {
      own: [...all.flatMap((table) => table.own), ...stored],
      others: [...all.flatMap((table) => table.others), JSON.stringify(versions)],
    };
  }

  async function restoreAll(world: World): Promise<Restored> {
    await snapshots.restore(copies[world]);
    return { versions: await snapshots.versions(), tables: await byTable(snapshots.names) };
  }

  return {
    own,
    values,
    foreign,
    stable,
    async state() {
      if (!entered) throw new Error('no world has been entered');
      const changed = await changedSince(entered);
      last = { of: entered, changed };
      return withFiles(new Map([...entered.tables, ...(await byTable(changed))]));
    },
    renew() {
      isRenewed = true;
    },
    async enter(world, settled = false) {
      entered = worlds.get(world);
      if (!entered || isRenewed) {
        entered = await restoreAll(world);
        worlds.set(world, entered);
        isRenewed = false;
      } else {
        const isKnown = settled && last?.of === entered;
        const changed = isKnown ? (last?.changed ?? []) : await changedSince(entered);
        if (changed.length > 0) {
          await snapshots.restore(copies[world], changed);
          entered.versions = await snapshots.versions();
        }
      }
      await restoreFiles(service.blobFolder, files);
      return withFiles(entered.tables);
    },
  };
}

// Of the services that a test file or, when the records were made, another one has started.
const addresses = /http:\/\/127\.0\.0\.1:\d+/g;
// With the folder that a stored file has by the first letters of its key.
const uuids = /(?:[0-9a-f]{2}\/)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;

// Ids of clients, and tokens of 256 bits.
const secrets = /whsec_[\w+/]{43}=|-[0-9a-f]{10}(?![0-9a-f])|(?<![\w-])[\w-]{43}(?![\w-])/g;
// Versions of tokens, which begin with the time in seconds.
const revocations = /(?<="version": )\d{8,9}\b/g;

function idOf(uuid: string): string {
  return uuid.slice(-36);
}
