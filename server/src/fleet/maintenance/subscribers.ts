import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents, MergedReadings } from '../events.ts';
import { planMaintenance } from './plan-maintenance.ts';
import { refreshMaintenance } from './refresh-maintenance.ts';

/** Plans vehicles that report another service, and refreshes those that have reached their replan odometer. */
export async function replanVehicles(
  { providerId, changes }: FleetEvents['readingsMerged'],
  context: SubscriberContext,
): Promise<void> {
  const toPlan = changes.filter(changesService);
  const toRefresh = changes.filter((change) => change.replanDue && !changesService(change));
  if (toPlan.length > 0) await planMaintenance(context, providerId, idsOf(toPlan));
  if (toRefresh.length > 0) await refreshMaintenance(context, providerId, idsOf(toRefresh));
}

function changesService({ before, after }: MergedReadings): boolean {
  return (
    after.signals.nextServiceDate !== before.signals.nextServiceDate ||
    after.nextServiceOdometer !== before.nextServiceOdometer
  );
}

function idsOf(changes: readonly MergedReadings[]): string[] {
  return changes.map(({ vehicleId }) => vehicleId);
}

export async function planInspections(
  { providerId, vehicleIds }: FleetEvents['inspectionEstimated'],
  context: SubscriberContext,
): Promise<void> {
  await planMaintenance(context, providerId, vehicleIds);
}
