import type { Queryable } from '../../platform/db/database.ts';

/**
 * Holds vehicles and their statuses, as everyone who writes their maintenance does: one after the
 * other, and in an order that two can never block each other with. Answers those that exist.
 */
export async function holdVehicles(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<string[]> {
  // Before the statuses: a delete of the vehicle takes them in this order.
  await tx.query(
    'select 1 from vehicles where provider = $1 and id = any($2) order by id for key share',
    [providerId, vehicleIds],
  );
  return holdStatuses(tx, providerId, vehicleIds);
}

/** Enough for who makes no report. */
export async function holdStatuses(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<string[]> {
  const held = await tx.query<{ vehicle_id: string }>(
    `select vehicle_id from vehicle_statuses where provider = $1 and vehicle_id = any($2)
     order by vehicle_id for update`,
    [providerId, vehicleIds],
  );
  return held.map(({ vehicle_id }) => vehicle_id);
}
