import type { Queryable } from '../../platform/db/database.ts';
import type { Reading } from './merge-readings.ts';
import { insertMoments } from './moment-store.ts';
import { needsReplan } from './replan-odometer.ts';
import { type SignalRow, signalArrays } from './signal-arrays.ts';
import { type LockedStatus, updateLocked } from './status-store.ts';

/**
 * Whether a message, the only one of its vehicle, is taken as it is: newer than all that is known, and
 * nothing follows from it. So are nearly all. To read what is known and to merge takes twice as long.
 */
export function canAppend({ time, signals }: Reading, locked: LockedStatus): boolean {
  return (
    time > locked.newest &&
    !locked.needsMerge &&
    signals.isCharging !== true &&
    signals.nextServiceDate === undefined &&
    signals.nextServiceDistance === undefined &&
    (locked.keepsPosition || signals.location === undefined) &&
    !needsReplan(locked, signals.odometer)
  );
}

/** Takes messages that are, each with what is locked of its vehicle. */
export async function appendReadings(
  tx: Queryable,
  providerId: string,
  news: ReadonlyMap<SignalRow, LockedStatus>,
): Promise<void> {
  if (news.size === 0) return;
  const signals = signalArrays([...news.keys()]);
  await insertMoments(tx, providerId, signals);
  await updateLocked(tx, [...news.values()], signals);
}
