import type { Queryable } from '../../platform/db/database.ts';
import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';

export async function erasePositions(
  { providerId, vehicleIds }: FleetEvents['positionTrackingDisabled'],
  { tx }: SubscriberContext,
): Promise<void> {
  const change = 'update vehicle_history set lat = null, lng = null where lat is not null';
  await changeHistory(tx, providerId, vehicleIds, change);
}

/** No message can add to it any more: who ingests one has locked the vehicle. */
export async function deleteHistory(
  { providerId, vehicleIds }: FleetEvents['vehiclesDeleted'],
  { tx }: SubscriberContext,
): Promise<void> {
  await changeHistory(tx, providerId, vehicleIds, 'delete from vehicle_history where true');
}

/**
 * Changes the histories of vehicles, one vehicle and one month at a time: years of messages are too
 * many for one statement.
 */
async function changeHistory(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
  change:
    | 'delete from vehicle_history where true'
    | 'update vehicle_history set lat = null, lng = null where lat is not null',
): Promise<void> {
  const months = await tx.query<{ id: string; month: string }>(
    `select known.vehicle_id as id, generate_series(known.first, known.last, '1 month') as month
     from (
       select vehicle_id, date_trunc('month', min(time)) as first, max(time) as last
       from vehicle_history where provider = $1 and vehicle_id = any($2::text[]) group by vehicle_id
     ) known`,
    [providerId, vehicleIds],
  );
  for (const { id, month } of months) {
    await tx.query(
      `${change} and provider = $1 and vehicle_id = $2
         and time >= $3::timestamptz and time < $3::timestamptz + interval '1 month'`,
      [providerId, id, month],
    );
  }
}
