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

const isFollowing = `s.provider = $1 and s.vehicle_id = $2 and s.source = 'telemetry' and s.lat is not null
  and s.from_time >= $4::timestamptz and s.from_time < $6::timestamptz`;

const isLater = 'h.provider = $1 and h.vehicle_id = $2 and h.time >= $4::timestamptz';

// When the position of a session was measured is not stored. The history is read once for all sessions but the open one.
const eraseFromSessions = `
  with later as materialized (
    select h.lat, h.lng, min(h.time) as first from vehicle_history h
    where ${isLater} and h.lat is not null
      and h.time <= (select max(s.to_time) from charging_sessions s where ${isFollowing})
    group by h.lat, h.lng
  ), measured_later as materialized (
    select s.id from charging_sessions s
    join later l on l.lat = s.lat and l.lng = s.lng and l.first <= s.to_time where ${isFollowing}
    union all
    select s.id from charging_sessions s where ${isFollowing} and s.to_time is null
      and exists (select from vehicle_history h where ${isLater} and h.lat = s.lat and h.lng = s.lng)
  )
  update charging_sessions s set version = version + 1, updated_at = $5, lat = null, lng = null
  where provider = $1 and vehicle_id = $2 and lat is not null
    and case source when 'recorded' then ${recordEnd('s')} else coalesce(to_time, 'infinity') end >= $3::timestamptz
    and (from_time < $4::timestamptz or (${isFollowing} and id not in (select id from measured_later)))`;
