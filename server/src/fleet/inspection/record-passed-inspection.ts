import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { estimateInspections } from './estimate-inspections.ts';

/** A completed report of source inspection is a passed inspection: the next is estimated from the last of them. */
export async function recordPassedInspection(
  { providerId, vehicleId, source, date }: FleetEvents['maintenanceCompleted'],
  context: SubscriberContext,
): Promise<void> {
  if (source !== 'inspection') return;
  await context.tx.query(
    `update inspections set passed_on = $3, version = version + 1, updated_at = $4
     where provider = $1 and vehicle_id = $2 and coalesce(passed_on <= $3, true)`,
    [providerId, vehicleId, date, context.clock.now()],
  );
  await estimateInspections(context, providerId, [vehicleId]);
}
