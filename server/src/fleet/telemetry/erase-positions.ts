import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { changeHistory } from './change-history.ts';

export async function erasePositions(
  { providerId, vehicleIds }: FleetEvents['positionTrackingDisabled'],
  { tx }: SubscriberContext,
): Promise<void> {
  const change = 'update vehicle_history set lat = null, lng = null where lat is not null';
  await changeHistory(tx, providerId, vehicleIds, change);
}
