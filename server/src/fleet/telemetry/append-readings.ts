import type { Queryable } from '../../platform/db/database.ts';
import type { Reading } from './merge-readings.ts';
import { appendMoments } from './moment-store.ts';
import { canFollow } from './odometer-doubt.ts';
import { needsReplan } from './replan-odometer.ts';
import { type SignalRow, signalArrays } from './signal-arrays.ts';
import { type LockedStatus, updateSignals } from './status-store.ts';

/**
 * Whether a message, the only one of its vehicle, can be appended without a merge, as nearly all can: it is newer
 * than all that is known, and nothing follows from it (docs/decisions/0014-telemetry.md).
 */
export function canAppend({ time, signals }: Reading, locked: LockedStatus): boolean {
  return (
    time > locked.newest &&
    !locked.needsMerge &&
    signals.isCharging !== true &&
    signals.nextServiceDate === undefined &&
    signals.nextServiceDistance === undefined &&
    signals.extra === undefined &&
    (locked.keepsPosition || signals.location === undefined) &&
    isUndoubted(time, signals.odometer, locked) &&
    !needsReplan(locked, signals.odometer)
  );
}

/** Whether it goes on from the odometer of the status; of an imported one without a time, the history has to tell. */
function isUndoubted(
  time: number,
  odometer: number | undefined,
  { odometer: known, odometerTime }: LockedStatus,
): boolean {
  if (odometer === undefined || known === undefined) return true;
  if (odometerTime === undefined) return false;
  return canFollow({ time: odometerTime, odometer: known }, { time, odometer });
}

export async function appendReadings(
  tx: Queryable,
  providerId: string,
  appended: ReadonlyMap<SignalRow, LockedStatus>,
): Promise<void> {
  if (appended.size === 0) return;
  const signals = signalArrays([...appended.keys()]);
  await appendMoments(tx, providerId, signals);
  await updateSignals(tx, providerId, signals);
}
