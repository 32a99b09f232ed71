import type { Queryable } from '../../platform/db/database.ts';
import { deletionLock, heldOffDeletion } from './deletion-lock.ts';

type LockedRow<Row> = Row & { vehicle_id: string };

/**
 * Locks vehicles against deletion and their statuses against other writers, always vehicles before statuses and each
 * by id, so that transactions do not deadlock. Returns a row for each that exists.
 */
export async function lockVehicles<Row extends object = object>(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[] | Buffer,
  /** The columns to read of the status `s`. */
  columns: readonly string[] = [],
): Promise<LockedRow<Row>[]> {
  await lockVehicleRows(tx, providerId, vehicleIds);
  return lockStatusRows(tx, providerId, vehicleIds, columns);
}

/** As `lockVehicles`, for a transaction that goes on to overwrite the vehicles. */
export async function lockWrittenVehicles(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  await tx.query(lockForUpdate, [providerId, vehicleIds]);
  await lockStatusRows(tx, providerId, vehicleIds);
}

const lockForUpdate = `
  select v.id from vehicles v
  where v.provider = $1 and v.id = any($2::text[]) and ${heldOffDeletion('$1', 'unnest($2::text[])')}
  order by v.id for no key update`;

/**
 * As `lockVehicles`, for any number of vehicles, whose ids do not pass through the process: `selectIds` selects them, as
 * `id`, with the provider as $1. Returns the `idsHash` of those that exist.
 */
export async function lockSelectedVehicles(
  tx: Queryable,
  selectIds: string,
  values: readonly unknown[],
): Promise<string | undefined> {
  const [row] = await tx.query<{ hash: string }>(lockSelected(selectIds), values);
  return row?.hash;
}

/** In SQL: tells sets of ids apart. */
export function idsHash(id: string): string {
  return `concat(count(*), ' ', bit_xor(hashtextextended(${id}, 0)))`;
}

// What counts is complete before the next is begun: all vehicles are locked before the first status.
const lockSelected = (selectIds: string) => `
  with selected as materialized (${selectIds}), locked as materialized (
    select id from vehicles
    where provider = $1 and id in (select id from selected)
      and ${heldOffDeletion('$1', 'unnest(array(select id from selected))')}
    order by id for key share
  ), statuses as materialized (
    select vehicle_id from vehicle_statuses
    where provider = $1 and vehicle_id in (select id from locked) and (select count(*) from locked) > 0
    order by vehicle_id for update
  )
  select ${idsHash('id')} as hash from locked where (select count(*) from statuses) >= 0`;

/** The first half of `lockVehicles`; returns those of the vehicles that are deactivated. */
export async function lockVehicleRows(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[] | Buffer,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(selectInactive, [providerId, vehicleIds]);
  return new Set(rows.map(({ id }) => id));
}

/** Locks the statuses of vehicles whose own rows this transaction has locked or written. */
export async function lockStatusRows<Row extends object = object>(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[] | Buffer,
  columns: readonly string[] = [],
): Promise<LockedRow<Row>[]> {
  return tx.query(
    `select ${['s.vehicle_id', ...columns].join(', ')} from vehicle_statuses s
     where s.provider = $1 and s.vehicle_id = any($2::text[])
     order by s.vehicle_id for update`,
    [providerId, vehicleIds],
  );
}

const selectInactive = `
  with locked as materialized (
    select id, active from vehicles
    where provider = $1 and id = any($2::text[]) and ${heldOffDeletion('$1', 'unnest($2::text[])')}
    order by id for key share
  )
  select id from locked where not active`;

/** Keeps a deletion from being overtaken by writers that begin after it. */
export async function lockForDeletion(
  tx: Queryable,
  providerId: string,
  vehicleId: string,
): Promise<void> {
  // Of a table, so that the lock is on the worker of a distributed database, as the locks of writers are.
  await tx.query(`select ${deletionLock('$1', '$2')} from providers where id = $1`, [
    providerId,
    vehicleId,
  ]);
}
