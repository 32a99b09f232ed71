import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { dayMs } from './detection/session-detector.ts';
import { instantOf, recordEnd } from './session-store.ts';

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

/**
 * Of sessions that were under way in a period, in whole or in part, and of those that have taken the last known position of
 * it over. After telemetry, whose history no longer has the positions of the periods.
 */
export async function eraseDrivenPositions(
  { providerId, periods }: FleetEvents['driverErased'],
  { tx, clock }: SubscriberContext,
): Promise<void> {
  const now = clock.now();
  for (const { vehicleId, from, to } of periods) {
    const end = Date.parse(to);
    await tx.query(eraseFromState, [providerId, vehicleId, Date.parse(from), end]);
    await tx.query(eraseFromSessions, [
      providerId,
      vehicleId,
      from,
      to,
      now,
      instantOf(end + dayMs),
    ]);
  }
}

const eraseFromState = `
  update charging_states set state = state - 'location'
  where provider = $1 and vehicle_id = $2 and (state #>> '{location,time}')::double precision >= $3
    and (state #>> '{location,time}')::double precision < $4`;

// When the position of a session was measured is not stored.
const isMeasuredLater = `exists (
  select from vehicle_history h
  where h.provider = $1 and h.vehicle_id = $2 and h.time >= $4::timestamptz
    and h.time <= coalesce(s.to_time, 'infinity') and h.lat = s.lat and h.lng = s.lng)`;

const eraseFromSessions = `
  update charging_sessions s set version = version + 1, updated_at = $5, lat = null, lng = null
  where provider = $1 and vehicle_id = $2 and lat is not null
    and case source when 'recorded' then ${recordEnd('s')} else coalesce(to_time, 'infinity') end >= $3::timestamptz
    and (from_time < $4::timestamptz
      or (source = 'telemetry' and from_time < $6::timestamptz and not ${isMeasuredLater}))`;
