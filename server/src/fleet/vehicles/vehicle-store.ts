import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { Events } from '../events.ts';
import { lockVehicles } from './lock-vehicles.ts';
import { timeColumnOf } from './signal-times.ts';
import type { VehicleLine, VehicleRequest } from './vehicle.ts';
import { vehicleItem, vehicleTables, vehicleValueFields } from './vehicle-fields.ts';

/** The vehicle as JSON. */
export async function readVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
): Promise<string | undefined> {
  const row = await db.lookup<{ item: string }>(vehicleItemById, [provider.id, id]);
  return row?.item;
}

const vehicleItemById: Lookup = {
  text: `select ${vehicleItem} as item from ${vehicleTables} where v.provider = $1 and v.id = $2`,
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
  touch: ['updated_at = excluded.updated_at'],
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

/** The transaction of a write, and who is told of it. */
export type VehicleWriter = { tx: Queryable; events: Events };

/** Makes or overwrites a vehicle, its status aside; says whether it is new. */
export async function writeVehicle(
  writer: VehicleWriter,
  provider: ProviderRef,
  id: string,
  request: VehicleRequest,
): Promise<boolean> {
  const source = withDefaults(request);
  const [created] = await upsert(writer.tx, provider, vehicles, [{ id, source }]);
  await followVehicles(writer, provider, [id]);
  return created === true;
}

/**
 * Makes or overwrites many vehicles with their statuses, and answers how many are new. Of a vehicle
 * that exists, only the fields that are named are written.
 */
export async function writeVehicles(
  writer: VehicleWriter,
  provider: ProviderRef,
  lines: readonly VehicleLine[],
  paths: readonly string[] = vehicleValueFields.map(({ path }) => path),
): Promise<number> {
  const named = (table: Table): Table => ({
    ...table,
    columns: table.columns.filter(({ path }) => paths.includes(path)),
  });
  // In the order of the ids, as everyone locks them.
  const rows = lines
    .map((line) => ({ id: line.asset.id, source: withDefaults(line) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const created = await upsert(writer.tx, provider, named(vehicles), rows);
  const status = named(statuses);
  if (status.columns.length > 0) {
    const columns = [...status.columns, nextServiceOdometer];
    const withMore = rows.map(({ id, source }) => ({
      id,
      source: { ...source, nextServiceOdometer: nextServiceOf(source) },
    }));
    const derived = timesOf(status.columns);
    await upsert(writer.tx, provider, { ...status, columns, derived }, withMore);
  }
  await followVehicles(
    writer,
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

/** Brings the statuses in line with their vehicles, and publishes what changed. */
async function followVehicles(
  { tx, events }: VehicleWriter,
  { id: providerId }: ProviderRef,
  vehicleIds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into vehicle_statuses (provider, vehicle_id) select $1, unnest($2::text[])
     on conflict do nothing`,
    [providerId, vehicleIds],
  );
  const differing = await tx.query<{ id: string; tracked: boolean }>(selectDiffering, [
    providerId,
    vehicleIds,
  ]);
  const idsOf = (tracked: boolean) =>
    differing.filter((one) => one.tracked === tracked).map(({ id }) => id);
  if (differing.length > 0) {
    await lockVehicles(
      tx,
      providerId,
      differing.map(({ id }) => id),
    );
    await tx.query(setTracked, [providerId, idsOf(true)]);
    await tx.query(setUntracked, [providerId, idsOf(false)]);
  }
  if (idsOf(false).length > 0) {
    await events.publish(tx, 'positionTrackingDisabled', { providerId, vehicleIds: idsOf(false) });
  }
  await events.publish(tx, 'vehiclesChanged', { providerId, vehicleIds });
}

// Lateral lookups with a limit: within an import the planner believes the tables to be empty, and would join them.
const selectDiffering = `
  select one.id, v.tracked from unnest($2::text[]) as one (id)
  cross join lateral (
    select track_geolocation is distinct from false as tracked from vehicles
    where provider = $1 and id = one.id limit 1
  ) v
  cross join lateral (
    select keeps_position, lat from vehicle_statuses where provider = $1 and vehicle_id = one.id limit 1
  ) s
  where s.keeps_position <> v.tracked or (s.lat is not null and not v.tracked)`;

const setTracked = `
  update vehicle_statuses set keeps_position = true
  where provider = $1 and vehicle_id = any($2::text[])`;

const setUntracked = `
  update vehicle_statuses set keeps_position = false, lat = null, lng = null, location_at = null
  where provider = $1 and vehicle_id = any($2::text[])`;

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
