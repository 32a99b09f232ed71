import type { Random } from '../../../platform/random/random.ts';
import { HOUR_MS } from '../../../platform/time/duration.ts';
import type { Electric } from '../../vehicles/public.ts';
import type { Stop } from './stops.ts';

/** What was charged at a stop; levels in percent of the battery. */
export type Charge = { stop: Stop; from: number; to: number };

type Way = {
  stops: readonly Stop[];
  used: (km: number) => number;
  /** The percentage that can be charged at a stop. */
  mostAt: (stop: Stop) => number;
  random: Random;
};
type Left = { index: number; stop: Stop; to: number };

const lowest = 8;
const least = 5;

/**
 * The charges that explain a level at the end of a way, oldest first. Found by going back: every
 * charge ends at a level from which the vehicle comes to the next one with something left.
 */
export function chargesBefore(
  stops: readonly Stop[],
  end: { odometer: number; level: number },
  { capacityKwh, kwhPerKm, acKw, maxDcKw }: Electric,
  random: Random,
): Charge[] {
  const way: Way = {
    stops,
    used: (km) => (km * kwhPerKm * 100) / capacityKwh,
    // At noon without a fast charger it leaves before it is full.
    mostAt: ({ at, from, to }) =>
      at === 'noon' && maxDcKw === undefined
        ? ((acKw * (to - from) * 0.9) / HOUR_MS / capacityKwh) * 100
        : 100,
    random,
  };
  const charges: Charge[] = [];
  let next = lastCharge(way, end);
  while (next) {
    const before = chargeBefore(way, next);
    if (!before) break;
    const arrives = before.to - way.used(next.stop.odometer - before.stop.odometer);
    charges.push({ stop: next.stop, from: tenths(arrives), to: next.to });
    next = before;
  }
  return charges.reverse();
}

/** The vehicle left its last charger full enough, and with no more than all. */
function lastCharge(
  { stops, used, random }: Way,
  end: { odometer: number; level: number },
): Left | undefined {
  const enough = random.between(75, 95);
  const levelAt = ({ odometer }: Stop) => tenths(end.level + used(end.odometer - odometer));
  for (let index = stops.length - 1; index > 0; index -= 1) {
    const [earlier, stop] = [stops[index - 1] as Stop, stops[index] as Stop];
    const to = levelAt(stop);
    if (to >= enough || levelAt(earlier) > 100) return { index, stop, to: Math.min(to, 100) };
  }
  return undefined;
}

/** Mostly at night, when the level has become low; at noon now and then, and when it has to be. */
function chargeBefore({ stops, used, mostAt, random }: Way, next: Left): Left | undefined {
  const low = random.between(8, 28);
  const limit = random.pick([80, 80, 90, 100]);
  for (const nightLimit of [limit, 100]) {
    let possible: Left | undefined;
    for (let index = next.index - 1; index >= 0; index -= 1) {
      const stop = stops[index] as Stop;
      const use = used(next.stop.odometer - stop.odometer);
      if (use > 100 - lowest) break;
      const to = stop.at === 'noon' ? 80 : nightLimit;
      const arrives = to - use;
      if (arrives < lowest || arrives > next.to - least) continue;
      if (next.to - arrives > mostAt(next.stop)) continue;
      possible = { index, stop, to };
      if (arrives <= low && (stop.at === 'night' || random.chance(0.1))) return possible;
    }
    if (possible) return possible;
  }
  return undefined;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
