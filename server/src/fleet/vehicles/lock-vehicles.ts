import type { Queryable } from '../../platform/db/database.ts';

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
): Promise<(Row & { vehicle_id: string })[]> {
  await tx.query(lockVehicleRows, [providerId, vehicleIds]);
  return tx.query(
    `select ${['s.vehicle_id', ...columns].join(', ')} from vehicle_statuses s
     where s.provider = $1 and s.vehicle_id = any($2::text[])
     order by s.vehicle_id for update`,
    [providerId, vehicleIds],
  );
}

const lockVehicleRows =
  'select from vehicles where provider = $1 and id = any($2::text[]) order by id for key share';
