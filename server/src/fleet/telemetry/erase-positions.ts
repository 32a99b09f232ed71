import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { changeHistory } from './change-history.ts';

const erase = 'update vehicle_history set lat = null, lng = null where lat is not null';

export async function erasePositions(
  { providerId, vehicleIds }: FleetEvents['positionTrackingDisabled'],
  { tx }: SubscriberContext,
): Promise<void> {
  await changeHistory(tx, providerId, vehicleIds, erase);
}

export async function eraseDrivenPositions(
  { providerId, periods }: FleetEvents['driverErased'],
  { tx }: SubscriberContext,
): Promise<void> {
  for (const { vehicleId, from, to } of periods) {
    await changeHistory(tx, providerId, [vehicleId], erase, { from, before: to });
    await tx.query(eraseLastPosition, [providerId, vehicleId, from, to]);
  }
}

// One that was imported without a time may be of the period.
const eraseLastPosition = `
  update vehicle_statuses set lat = null, lng = null, location_at = null
  where provider = $1 and vehicle_id = $2 and lat is not null
    and (location_at is null or location_at >= $3::timestamptz and location_at < $4::timestamptz)`;
