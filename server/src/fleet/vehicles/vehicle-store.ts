import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Events } from '../events.ts';
import { lockStatusRows } from './lock-vehicles.ts';
import type { VehicleRequest } from './vehicle.ts';
import { vehicleTables } from './vehicle-fields.ts';
import { vehicleItem } from './vehicle-item.ts';
import type { VehicleLine } from './vehicle-line.ts';
import { upsertStatuses, upsertVehicles } from './vehicle-upsert.ts';
import { requireUniqueVins } from './vin-uniqueness.ts';

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

/** The transaction of a write, its time, and where it is published. */
export type VehicleWriter = { tx: Queryable; events: Events; clock: Clock };

type Written = 'created' | 'changed' | 'unchanged';

/** Creates or overwrites a vehicle, except for its status; throws SharedVins where its VIN is taken. */
export async function writeVehicle(
  writer: VehicleWriter,
  provider: ProviderRef,
  id: string,
  request: VehicleRequest,
): Promise<Written> {
  const { tx, clock } = writer;
  const [written] = await upsertVehicles(tx, provider, [{ id, source: request }], clock.now());
  if (written) await requireUniqueVins(tx, provider.id, [id]);
  await publishVehicles(writer, provider, [id]);
  if (!written) return 'unchanged';
  return written.created ? 'created' : 'changed';
}

/**
 * Creates or overwrites many vehicles with their statuses; returns those that are new or changed. Of a vehicle that exists, only
 * the named fields are written. Before it commits, the transaction calls requireUniqueVins.
 */
export async function writeVehicles(
  writer: VehicleWriter,
  provider: ProviderRef,
  lines: readonly VehicleLine[],
  paths?: readonly string[],
): Promise<{ id: string; created: boolean }[]> {
  // In the order of the ids, in which all transactions lock them.
  const rows = lines
    .map((line) => ({ id: line.asset.id, source: line }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isNamed = (path: string) => paths?.includes(path) ?? true;
  const { tx, clock } = writer;
  const written = await upsertVehicles(tx, provider, rows, clock.now(), isNamed);
  await upsertStatuses(tx, provider, rows, isNamed);
  await publishVehicles(
    writer,
    provider,
    rows.map(({ id }) => id),
  );
  return written;
}

/** Updates the statuses by their vehicles, and publishes what changed. */
async function publishVehicles(
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
    await lockStatusRows(
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

// Lateral lookups with a limit: during an import the planner takes the tables for empty, and would join them.
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
