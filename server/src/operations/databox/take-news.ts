import type { Queryable } from '../../platform/db/database.ts';
import { type SignalRow, signalArrays } from './column-arrays.ts';
import type { Reading } from './merge-readings.ts';
import { insertMoments } from './moment-store.ts';
import { reachesReview } from './review-odometer.ts';
import { type Held, updateSignals } from './status-store.ts';

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

export async function takeNews(
  tx: Queryable,
  providerId: string,
  news: readonly SignalRow[],
): Promise<void> {
  if (news.length === 0) return;
  const arrays = signalArrays(news);
  await insertMoments(tx, providerId, arrays);
  await updateSignals(tx, providerId, arrays);
}
