import type { Random } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';
import { workdayUntil } from './workdays.ts';

export type Registration = {
  /** YYYY-MM-DD */
  date: string;
  buildYear: number;
};

const LAST_DAY = Date.UTC(2026, 9, 31);

/** Depends on the model and the seed alone, never on today. */
export function registration(model: Model, isFrench: boolean, random: Random): Registration {
  const first = firstDay(model);
  const last = Math.min(Date.UTC(model.to, 11, 31), LAST_DAY);
  // The exponent leans towards later dates: most of a fleet is young.
  const days = Math.floor(((last - first) / DAY_MS) * random.next() ** 0.7);
  // Offices are closed at weekends and on holidays.
  const date = new Date(workdayUntil(first + days * DAY_MS, isFrench));

  const year = date.getUTCFullYear();
  const fromLastYearsStock = date.getUTCMonth() < 3 && year > model.from && random.chance(0.6);
  return {
    date: date.toISOString().slice(0, 10),
    buildYear: fromLastYearsStock ? year - 1 : year,
  };
}

function firstDay(model: Model): number {
  const { since } = roles[model.role];
  if (model.from > since) {
    // In the year of its launch a model reaches fleets in autumn.
    return Date.UTC(model.from, 8, 1);
  }
  // Early January has no day on which the offices are surely open.
  return Date.UTC(since, 0, 8);
}
