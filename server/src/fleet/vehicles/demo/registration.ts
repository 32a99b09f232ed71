import type { Random } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';

export type Registration = {
  /** YYYY-MM-DD */
  date: string;
  buildYear: number;
};

const LAST_DAY = Date.UTC(2026, 9, 31);

/** Depends on the model and the seed alone, never on today. */
export function registration(model: Model, random: Random): Registration {
  const first = firstDay(model);
  const last = Math.min(Date.UTC(model.to, 11, 31), LAST_DAY);
  // The exponent leans towards later dates: most of a fleet is young.
  const days = Math.floor(((last - first) / DAY_MS) * random.next() ** 0.7);
  const date = workday(new Date(first + days * DAY_MS));

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

/** Registration offices are closed at weekends. */
function workday(date: Date): Date {
  const daysSinceFriday = [2, 0, 0, 0, 0, 0, 1][date.getUTCDay()] ?? 0;
  return new Date(date.getTime() - daysSinceFriday * DAY_MS);
}
