import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
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

/** The columns of one table that a vehicle's groups are written to. */
function writable(alias: 'v' | 's') {
  return vehicleValueFields
    .filter(({ column }) => column.startsWith(`${alias}.`) && column !== 'v.id')
    .map(({ path, type, column }) => ({ path: path.split('.'), type, name: column.slice(2) }));
}

const sqlTypes: Record<string, string> = {
  text: 'text',
  uuid: 'uuid',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamptz',
};

const tables = {
  vehicles: { key: 'id', columns: writable('v'), touch: ', updated_at = now()' },
  vehicle_statuses: { key: 'vehicle_id', columns: writable('s'), touch: '' },
};

/** One statement for any number of rows, which arrive as one JSON array. */
function upsertOf(table: keyof typeof tables): string {
  const { key, columns, touch } = tables[table];
  const names = columns.map(({ name }) => name);
  const typed = columns.map(({ name, type }) => `${name} ${sqlTypes[type]}`);
  return `
    insert into ${table} (provider, ${key}, ${names.join(', ')})
    select $1, row.* from jsonb_to_recordset($2::jsonb) as row (id text, ${typed.join(', ')})
    on conflict (provider, ${key}) do update
    set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}${touch}
    returning (xmax = 0) as created`;
}

const upsertVehicles = upsertOf('vehicles');
const upsertStatuses = upsertOf('vehicle_statuses');

/** Makes or overwrites a vehicle, its status aside; says whether it is new. */
export async function writeVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
  request: VehicleRequest,
): Promise<boolean> {
  const [row] = await db.rows<{ created: boolean }>(upsertVehicles, [
    provider.id,
    JSON.stringify([rowOf(id, withDefaults(request), 'vehicles')]),
  ]);
  return row?.created === true;
}

/** Makes or overwrites many vehicles; the statuses of those that bring one. Answers how many are new. */
export async function writeVehicles(
  db: Queryable,
  provider: ProviderRef,
  lines: readonly VehicleLine[],
): Promise<number> {
  const vehicles = lines.map((line) => rowOf(line.asset.id, withDefaults(line), 'vehicles'));
  const statuses = lines
    .filter(({ status }) => Object.keys(status).length > 0)
    .map((line) => rowOf(line.asset.id, line, 'vehicle_statuses'));
  const rows = await db.rows<{ created: boolean }>(upsertVehicles, [
    provider.id,
    JSON.stringify(vehicles),
  ]);
  if (statuses.length > 0) await db.rows(upsertStatuses, [provider.id, JSON.stringify(statuses)]);
  return rows.filter(({ created }) => created).length;
}

function withDefaults<Request extends VehicleRequest>(request: Request): Request {
  return { ...request, asset: { ...request.asset, active: request.asset?.active ?? true } };
}

function rowOf(id: string, source: object, table: keyof typeof tables): Record<string, unknown> {
  const row: Record<string, unknown> = { id };
  for (const { path, name } of tables[table].columns) row[name] = valueAt(source, path);
  return row;
}

function valueAt(source: unknown, path: readonly string[]): unknown {
  let value = source;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}
