import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import type { Role } from './roles.ts';

/** It is on the road in the morning and in the afternoon (UTC), and stands at noon and at night. */
export const roadHours = { morning: 6, noon: 11, afternoon: 14, evening: 19 } as const;

const PERIOD_DAYS = 28;
// The first Monday since the epoch: a period begins on one.
const FIRST_MONDAY = 4;
const SATURDAY = 5;

/**
 * The odometer of a vehicle at any moment, in tenths of a km: every four weeks it drives as far as in
 * the four before, on some days more and on others less, and it ends where it stands now.
 */
export function mileageOf({
  vehicleId,
  role,
  odometer,
  registeredAt,
  movedUntil,
}: {
  vehicleId: string;
  role: Role;
  odometer: number;
  registeredAt: number;
  movedUntil: number;
}): (time: number) => number {
  const weekend = role === 'sharing' ? 1.2 : 0.15;
  const periods = new Map<number, number[]>();
  const shares = (period: number): number[] => {
    const days = periods.get(period) ?? daysOf(`${vehicleId}/days/${period}`, weekend);
    periods.set(period, days);
    return days;
  };
  /** In average days. */
  const driven = (time: number): number => {
    const day = Math.floor(time / DAY_MS) - FIRST_MONDAY;
    const period = Math.floor(day / PERIOD_DAYS);
    const days = shares(period);
    const index = day - period * PERIOD_DAYS;
    const before = days[index] ?? 0;
    const today = (days[index + 1] ?? 0) - before;
    return period * PERIOD_DAYS + before + today * shareOfDay((time % DAY_MS) / HOUR_MS);
  };

  const begin = driven(registeredAt);
  const all = Math.max(driven(movedUntil) - begin, 1);
  return (time) => {
    if (time >= movedUntil) return odometer;
    const share = Math.max(0, (driven(time) - begin) / all);
    return Math.round(odometer * Math.min(1, share) * 10) / 10;
  };
}

/** How much of a period's driving is done at the beginning of each of its days, and at its end. */
function daysOf(seed: string, weekend: number): number[] {
  const random = randomFor(seed);
  const weights = Array.from({ length: PERIOD_DAYS }, (_, day) => {
    const usual = day % 7 < SATURDAY ? 1 : weekend;
    return usual * random.between(0.4, 1.6);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const reached = [0];
  for (const weight of weights) {
    reached.push((reached.at(-1) ?? 0) + (weight / total) * PERIOD_DAYS);
  }
  return reached;
}

function shareOfDay(hour: number): number {
  const { morning, noon, afternoon, evening } = roadHours;
  const within = (from: number, to: number) =>
    Math.min(1, Math.max(0, (hour - from) / (to - from)));
  return (within(morning, noon) + within(afternoon, evening)) / 2;
}
