import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { toMilliseconds } from './instant.ts';
import type { Vehicle, VehicleLine, VehicleRequest } from './vehicle.ts';
import {
  type VehicleRow,
  vehicleColumns,
  vehicleOf,
  vehicleTables,
  vehicleValueFields,
} from './vehicle-fields.ts';

export async function readVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
): Promise<Vehicle | undefined> {
  const [row] = await db.rows<VehicleRow>(
    `select ${vehicleColumns} from ${vehicleTables} where v.provider = $1 and v.id = $2`,
    [provider.id, id],
  );
  return row && vehicleOf(row);
}

const sqlTypes: Record<string, string> = {
  text: 'text',
  uuid: 'uuid',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamptz',
};

type Table = { name: string; key: string; columns: Column[]; touch: string[] };
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
  touch: ['updated_at = now()'],
};
const statuses: Table = {
  name: 'vehicle_statuses',
  key: 'vehicle_id',
  columns: writable('s'),
  touch: [],
};

/** One statement for any number of rows, which arrive as one JSON array. */
function upsertOf({ name, key, columns, touch }: Table): string {
  const names = columns.map((column) => column.name);
  const typed = columns.map((column) => `${column.name} ${column.type}`);
  const changes = [...names.map((column) => `${column} = excluded.${column}`), ...touch];
  return `
    insert into ${name} (${['provider', key, ...names].join(', ')})
    select $1, row.* from jsonb_to_recordset($2::jsonb) as row (${['id text', ...typed].join(', ')})
    on conflict (provider, ${key}) do update set ${changes.join(', ')}
    returning (xmax = 0) as created`;
}

/** Makes or overwrites a vehicle, its status aside; says whether it is new. */
export async function writeVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
  request: VehicleRequest,
): Promise<boolean> {
  const [created] = await upsert(db, provider, vehicles, [{ id, source: withDefaults(request) }]);
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
  const rows = lines.map((line) => ({ id: line.asset.id, source: withDefaults(line) }));
  const created = await upsert(db, provider, named(vehicles), rows);
  const status = named(statuses);
  if (status.columns.length > 0) await upsert(db, provider, status, rows);
  return created.filter(Boolean).length;
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
  const written = await db.rows<{ created: boolean }>(upsertOf(table), [
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
