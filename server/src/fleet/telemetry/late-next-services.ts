import { withoutRounding } from './merge-readings.ts';
import type { MergedVehicle } from './merge-vehicle.ts';
import type { OdometerStore } from './odometer-store.ts';
import type { Status } from './status-store.ts';

type Change = { vehicleId: string; status: Status; merged: MergedVehicle };

/** Counts distances to the next service that came late, and without an odometer, from the last one until their time. */
export async function countLateServices(
  store: OdometerStore,
  changes: readonly Change[],
): Promise<void> {
  const late = changes.filter(({ merged }) => isLate(merged));
  if (late.length === 0) return;
  const states = await store.readStates(
    late.map(({ vehicleId, merged: { times } }) => ({
      vehicleId,
      time: (times.nextServiceDistance ?? 0) + 1,
    })),
  );
  for (const [index, { status, merged }] of late.entries()) {
    const { undoubted, doubted } = states[index] ?? {};
    const reading = doubted?.confirmed ? doubted : undoubted;
    if (reading === undefined) continue;
    merged.nextServiceOdometer = withoutRounding(
      status.nextServiceOdometer,
      reading.odometer + (merged.signals.nextServiceDistance ?? 0),
    );
  }
}

function isLate({ changedSignals, times, undoubtedMoments }: MergedVehicle): boolean {
  const { nextServiceDistance: time, odometer: newest } = times;
  if (!changedSignals.has('nextServiceDistance') || time === undefined) return false;
  return (
    newest !== undefined && newest > time && undoubtedMoments.get(time)?.odometer === undefined
  );
}
