import type { Queryable } from '../../platform/db/database.ts';
import { type SignalRow, signalArrays } from './column-arrays.ts';
import type { Reading } from './merge-readings.ts';
import { insertMoments } from './moment-store.ts';
import { reachesReview } from './needs-replan.ts';
import { type Held, updateHeld } from './status-store.ts';

/**
 * Whether a message, the only one of its vehicle, is taken as it is: newer than all that is known, and
 * nothing follows from it. So are nearly all. To read what is known and to merge takes twice as long.
 */
export function isNews({ time, signals }: Reading, held: Held): boolean {
  return (
    time > held.newest &&
    !held.goesOn &&
    signals.isCharging !== true &&
    signals.nextServiceDate === undefined &&
    signals.nextServiceDistance === undefined &&
    (held.keepsPosition || signals.location === undefined) &&
    !reachesReview(held, signals.odometer)
  );
}

/** Takes messages that are, each with what is held of its vehicle. */
export async function takeNews(
  tx: Queryable,
  providerId: string,
  news: ReadonlyMap<SignalRow, Held>,
): Promise<void> {
  if (news.size === 0) return;
  const signals = signalArrays([...news.keys()]);
  await insertMoments(tx, providerId, signals);
  await updateHeld(tx, [...news.values()], signals);
}
