import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { changeHistory } from './change-history.ts';

/** No message can be added any more: an ingest locks the vehicle first. */
export async function deleteHistory(
  { providerId, vehicleIds }: FleetEvents['vehiclesDeleted'],
  { tx }: SubscriberContext,
): Promise<void> {
  await changeHistory(tx, providerId, vehicleIds, 'delete from vehicle_history where true');
}
