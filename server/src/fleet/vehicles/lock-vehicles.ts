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
