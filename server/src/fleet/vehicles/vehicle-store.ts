import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { changeHistory } from '../telemetry/change-history.ts';
import type { VehicleLine, VehicleRequest } from './vehicle.ts';
import { vehicleTables } from './vehicle-fields.ts';
import { vehicleItem } from './vehicle-item.ts';
import { upsertStatuses, upsertVehicles } from './vehicle-upsert.ts';

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

type Written = 'created' | 'changed' | 'unchanged';

/** Makes or overwrites a vehicle, its status aside. */
export async function writeVehicle(
  db: Queryable,
  provider: ProviderRef,
  id: string,
  request: VehicleRequest,
): Promise<Written> {
  const [written] = await upsertVehicles(db, provider, [{ id, source: request }]);
  await followVehicles(db, provider, [id]);
  if (!written) return 'unchanged';
  return written.created ? 'created' : 'changed';
}

/**
 * Makes or overwrites many vehicles with their statuses, and answers how many are new. Of a vehicle
 * that exists, only the fields that are named are written.
 */
export async function writeVehicles(
  db: Queryable,
  provider: ProviderRef,
  lines: readonly VehicleLine[],
  paths?: readonly string[],
): Promise<number> {
  // In the order of the ids, as everyone takes many: so no two can block each other.
  const rows = lines
    .map((line) => ({ id: line.asset.id, source: line }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isNamed = (path: string) => paths?.includes(path) ?? true;
  const written = await upsertVehicles(db, provider, rows, isNamed);
  await upsertStatuses(db, provider, rows, isNamed);
  await followVehicles(
    db,
    provider,
    rows.map(({ id }) => id),
  );
  return written.filter(({ created }) => created).length;
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
    `update charging_sessions set lat = null, lng = null
     where provider = $1 and vehicle_id = any($2::text[]) and lat is not null`,
    [provider.id, ids],
  );
}
