import type { Queryable } from '../../platform/db/database.ts';

/** Every message of a watched vehicle is merged and published, rather than only those that are out of order. */
export async function setWatched(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
  watched: boolean,
): Promise<void> {
  if (vehicleIds.length === 0) return;
  await tx.query(
    `update vehicle_statuses set watched = $3
     where provider = $1 and vehicle_id = any($2::text[]) and watched <> $3`,
    [providerId, vehicleIds, watched],
  );
}
