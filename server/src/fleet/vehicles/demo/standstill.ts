import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { workdayUntil } from './workdays.ts';

/** The vehicles that an incident has put out of action, and how many days ago. */
const outOfAction: Readonly<Record<string, number>> = {
  'DE*ABC*V0033': 12,
  'DE*ABC*V0022': 9,
  'DE*ABC*V0006': 3,
};

/** Since when a vehicle cannot be driven. */
export function standstillOf(vehicleId: string, now: Date): number | undefined {
  const daysAgo = outOfAction[vehicleId];
  if (daysAgo === undefined) return undefined;
  const day = Math.floor(now.getTime() / DAY_MS) - daysAgo;
  const minute = randomFor(`${vehicleId}/standstill`).integer(7 * 60, 16 * 60);
  return workdayUntil(day * DAY_MS + minute * 60_000, false);
}
