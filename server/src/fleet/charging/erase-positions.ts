import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';

export async function erasePositions(
  { providerId, vehicleIds }: FleetEvents['positionTrackingDisabled'],
  { tx, clock }: SubscriberContext,
): Promise<void> {
  await tx.query(
    `update charging_states set state = state - 'location'
     where provider = $1 and vehicle_id = any($2::text[])`,
    [providerId, vehicleIds],
  );
  await tx.query(
    `update charging_sessions set version = version + 1, updated_at = $3, lat = null, lng = null
     where provider = $1 and vehicle_id = any($2::text[]) and lat is not null`,
    [providerId, vehicleIds, clock.now()],
  );
}
