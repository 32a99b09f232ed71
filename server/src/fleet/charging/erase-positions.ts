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

/** Of sessions that were under way in a period, in whole or in part. */
export async function eraseDrivenPositions(
  { providerId, periods }: FleetEvents['driverErased'],
  { tx, clock }: SubscriberContext,
): Promise<void> {
  const now = clock.now();
  for (const { vehicleId, from, to } of periods) {
    await tx.query(eraseFromState, [providerId, vehicleId, Date.parse(from), Date.parse(to)]);
    await tx.query(eraseFromSessions, [providerId, vehicleId, from, to, now]);
  }
}

const eraseFromState = `
  update charging_states set state = state - 'location'
  where provider = $1 and vehicle_id = $2 and (state #>> '{location,time}')::double precision >= $3
    and (state #>> '{location,time}')::double precision < $4`;

const eraseFromSessions = `
  update charging_sessions set version = version + 1, updated_at = $5, lat = null, lng = null
  where provider = $1 and vehicle_id = $2 and lat is not null
    and from_time < $4::timestamptz and (to_time is null or to_time >= $3::timestamptz)`;
