import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { changeHistory } from '../telemetry/change-history.ts';
import { timeColumnOf } from '../telemetry/signal-times.ts';
import type { VehicleLine, VehicleRequest } from './vehicle.ts';
import { vehicleItem, vehicleTables, vehicleValueFields } from './vehicle-fields.ts';

/** The vehicle as JSON, and the version of its asset and information. */
export async function readVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
): Promise<{ item: string; version: number } | undefined> {
  return db.lookup(vehicleItemById, [provider.id, id]);
}

const vehicleItemById: Lookup = {
  text: `select ${vehicleItem} as item, v.version from ${vehicleTables} where v.provider = $1 and v.id = $2`,
  parameters: ['text', 'text'],
};

const sqlTypes: Record<string, string> = {
  text: 'text',
  uuid: 'uuid',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamptz',
};

type Table = {
  name: string;
  key: string;
  columns: Column[];
  /** Columns that follow from the others of the same row. */
  derived?: { name: string; value: string }[];
  touch: string[];
};
type Column = { path: string; name: string; type: string };

/** The columns of one table that a vehicle is written to. */
function writable(alias: 'v' | 's'): Column[] {
  return vehicleValueFields
    .filter(({ column }) => column.startsWith(`${alias}.`) && column !== 'v.id')
    .map(({ path, type, column }) => ({ path, type: sqlTypes[type] ?? '', name: column.slice(2) }));
}

const vehicles: Table = {
  name: 'vehicles',
  key: 'id',
  columns: writable('v'),
  touch: ['updated_at = excluded.updated_at', 'version = vehicles.version + 1'],
};
const statuses: Table = {
  name: 'vehicle_statuses',
  key: 'vehicle_id',
  columns: writable('s'),
  touch: [],
};
// What is kept beside the signals.
const nextServiceOdometer: Column = {
  path: 'nextServiceOdometer',
  name: 'next_service_odometer',
  type: 'double precision',
};

/** One statement for any number of rows, which arrive as one JSON array. */
function upsertOf({ name, key, columns, derived = [], touch }: Table): string {
  const names = [...columns, ...derived].map((column) => column.name);
  const typed = columns.map((column) => `${column.name} ${column.type}`);
  const values = ['$1', 'row.*', ...derived.map(({ value }) => value)];
  const changes = [...names.map((column) => `${column} = excluded.${column}`), ...touch];
  return `
    insert into ${name} (${['provider', key, ...names].join(', ')})
    select ${values.join(', ')}
    from jsonb_to_recordset($2::jsonb) as row (${['id text', ...typed].join(', ')})
    on conflict (provider, ${key}) do update set ${changes.join(', ')}
    returning (xmax = 0) as created`;
}

/**
 * All signals that a row has were measured at one time; without it, any message is newer. The times of
 * signals that are not written stay.
 */
function timesOf(columns: readonly Column[]): NonNullable<Table['derived']> {
  const hasTime = columns.some(({ name }) => name === 'last_updated');
  return columns
    .filter(({ name }) => name !== 'last_updated' && name !== 'lng')
    .map(({ name }) => ({
      name: timeColumnOf(name),
      value: hasTime ? `case when row.${name} is not null then row.last_updated end` : 'null',
    }));
}

/** Makes or overwrites a vehicle, its status aside; says whether it is new. */
export async function writeVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
  request: VehicleRequest,
): Promise<boolean> {
  const [created] = await upsert(db, provider, vehicles, [{ id, source: withDefaults(request) }]);
  await followVehicles(db, provider, [id]);
  return created === true;
}

/**
 * Makes or overwrites many vehicles with their statuses, and answers how many are new. Of a vehicle
 * that exists, only the fields that are named are written.
 */
export async function writeVehicles(
  db: Queryable,
  provider: ProviderRef,
  lines: readonly VehicleLine[],
  paths: readonly string[] = vehicleValueFields.map(({ path }) => path),
): Promise<number> {
  const named = (table: Table): Table => ({
    ...table,
    columns: table.columns.filter(({ path }) => paths.includes(path)),
  });
  // In the order of the ids, as everyone takes many: so no two can block each other.
  const rows = lines
    .map((line) => ({ id: line.asset.id, source: withDefaults(line) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const created = await upsert(db, provider, named(vehicles), rows);
  const status = named(statuses);
  if (status.columns.length > 0) {
    const columns = [...status.columns, nextServiceOdometer];
    const withMore = rows.map(({ id, source }) => ({
      id,
      source: { ...source, nextServiceOdometer: nextServiceOf(source) },
    }));
    const derived = timesOf(status.columns);
    await upsert(db, provider, { ...status, columns, derived }, withMore);
  }
  await followVehicles(
    db,
    provider,
    rows.map(({ id }) => id),
  );
  return created.filter(Boolean).length;
}

function nextServiceOf({ status }: VehicleLine): number | undefined {
  const { odometer, nextServiceDistance } = status;
  return odometer === undefined || nextServiceDistance === undefined
    ? undefined
    : odometer + nextServiceDistance;
}

/** Brings the statuses in line with their vehicles: there, and without a position that may not be kept. */
async function followVehicles(
  db: Queryable,
  provider: ProviderRef,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `insert into vehicle_statuses (provider, vehicle_id) select $1, unnest($2::text[])
     on conflict do nothing`,
    [provider.id, ids],
  );
  const unlike = await db.query<{ id: string; tracked: boolean }>(selectUnlike, [provider.id, ids]);
  if (unlike.length === 0) return;
  // In one order, as everyone takes many; and before the history, to which nothing is added meanwhile.
  await db.query(
    `select 1 from vehicle_statuses where provider = $1 and vehicle_id = any($2::text[])
     order by vehicle_id for update`,
    [provider.id, unlike.map(({ id }) => id)],
  );
  const byTracking = Map.groupBy(unlike, ({ tracked }) => tracked);
  const [tracked = [], untracked = []] = [true, false].map((one) =>
    byTracking.get(one)?.map(({ id }) => id),
  );
  if (tracked.length > 0) {
    await db.query(
      `update vehicle_statuses set keeps_position = true
       where provider = $1 and vehicle_id = any($2::text[])`,
      [provider.id, tracked],
    );
  }
  if (untracked.length > 0) await forgetPositions(db, provider, untracked);
}

// Row by row, whatever the planner believes: within an import, or after an analyze that has not seen its
// lines, it takes the tables for empty, and a join of them for cheap.
const selectUnlike = `
  select one.id, v.tracked from unnest($2::text[]) as one (id)
  cross join lateral (
    select track_geolocation is distinct from false as tracked from vehicles
    where provider = $1 and id = one.id limit 1
  ) v
  cross join lateral (
    select keeps_position, lat from vehicle_statuses where provider = $1 and vehicle_id = one.id limit 1
  ) s
  where s.keeps_position <> v.tracked or (s.lat is not null and not v.tracked)`;

async function forgetPositions(
  db: Queryable,
  provider: ProviderRef,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `update vehicle_statuses set keeps_position = false, lat = null, lng = null,
       location_at = null, charging = charging - 'location'
     where provider = $1 and vehicle_id = any($2::text[])`,
    [provider.id, ids],
  );
  await changeHistory(
    db,
    provider.id,
    ids,
    'update vehicle_history set lat = null, lng = null where lat is not null',
  );
  await db.query(
    `update charging_sessions
     set version = version + 1, updated_at = now(), lat = null, lng = null
     where provider = $1 and vehicle_id = any($2::text[]) and lat is not null`,
    [provider.id, ids],
  );
}

function withDefaults<Request extends VehicleRequest>(request: Request): Request {
  return { ...request, asset: { ...request.asset, active: request.asset?.active ?? true } };
}

async function upsert(
  db: Queryable,
  provider: ProviderRef,
  table: Table,
  rows: { id: string; source: object }[],
): Promise<boolean[]> {
  const values = rows.map(({ id, source }) => ({
    id,
    ...Object.fromEntries(
      table.columns.map(({ name, path, type }) => [name, kept(valueAt(source, path), type)]),
    ),
  }));
  const written = await db.query<{ created: boolean }>(upsertOf(table), [
    provider.id,
    JSON.stringify(values),
  ]);
  return written.map(({ created }) => created);
}

function kept(value: unknown, type: string): unknown {
  return type === 'timestamptz' && typeof value === 'string' ? toMilliseconds(value) : value;
}

function valueAt(source: unknown, path: string): unknown {
  let value = source;
  for (const name of path.split('.'))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}
