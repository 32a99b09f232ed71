import type { Random } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { Vehicle } from '../vehicle.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';

type NextService = Pick<Vehicle['status'], 'nextServiceDate' | 'nextServiceDistance'>;

const INTERVAL_DAYS = 730;

/**
 * The date is the car's own forecast: the end of the interval or, for those who drive a lot, the
 * day on which the distance is used up. So one look at the date tells who is due.
 */
export function nextService(
  model: Model,
  yearlyKm: number,
  ageDays: number,
  random: Random,
  now: Date,
): NextService {
  if (model.vendor === 'Tesla') {
    return {};
  }
  const intervalKm = roles[model.role].serviceKm;
  const intervalDays = Math.min(INTERVAL_DAYS, (intervalKm / yearlyKm) * 365);
  const daysSince = Math.min(daysSinceService(intervalDays, random), ageDays);
  const due = new Date(now.getTime() + (intervalDays - daysSince) * DAY_MS);
  const distance = intervalKm - (daysSince * yearlyKm) / 365;

  return {
    nextServiceDate: due.toISOString().slice(0, 10),
    nextServiceDistance: Math.round(distance / 100) * 100,
  };
}

function daysSinceService(intervalDays: number, random: Random): number {
  const draw = random.next();
  if (draw < 0.08) {
    return intervalDays + random.between(3, 60);
  }
  if (draw < 0.22) {
    return intervalDays - random.between(1, 30);
  }
  return random.between(0, intervalDays - 31);
}
