import { type Random, randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { Vehicle } from '../vehicle.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';
import { workdayUntil } from './workdays.ts';

type NextService = Pick<Vehicle['status'], 'nextServiceDate' | 'nextServiceDistance'>;

const maxIntervalDays = 730;
const maxDelayDays = 60;

/** When a vehicle was serviced, oldest first, and the days after which it is due again. */
export type Services = { times: readonly number[]; intervalDays: number };

type Life = {
  vehicleId: string;
  model: Model;
  yearlyKm: number;
  registeredAt: number;
  now: number;
  isFrench: boolean;
};

/** Every interval ends after two years or, for those who drive a lot, with its distance. */
export function servicesOf(life: Life): Services {
  const { vehicleId, model, yearlyKm, registeredAt, now, isFrench } = life;
  const intervalDays = Math.min(maxIntervalDays, (roles[model.role].serviceKm / yearlyKm) * 365);
  const ageDays = Math.max(0, (now - registeredAt) / DAY_MS);
  const { count, spacing } = tellsNoService(model)
    ? { count: Math.floor(ageDays / intervalDays), spacing: intervalDays }
    : spread(ageDays, intervalDays, randomFor(`${vehicleId}/service`));
  const times = Array.from({ length: count }, (_, index) =>
    workdayUntil(Math.floor(registeredAt + (index + 1) * spacing * DAY_MS), isFrench),
  );
  return { times, intervalDays };
}

/** Those are serviced as the provider has scheduled it. */
function tellsNoService({ vendor }: Model): boolean {
  return vendor === 'Tesla';
}

/** Each about when it was due, and the last one as long ago as drawn where that allows it. */
function spread(
  ageDays: number,
  intervalDays: number,
  random: Random,
): { count: number; spacing: number } {
  const servicedAfter = ageDays - daysSinceService(intervalDays, random);
  const count = Math.round(servicedAfter / intervalDays);
  const spacing = servicedAfter / count;
  if (spacing > 0.8 * intervalDays && spacing < 1.08 * intervalDays) return { count, spacing };
  const usual = intervalDays * random.between(0.93, 1.02);
  const due = Math.floor(ageDays / usual);
  const isPutOff = ageDays - due * usual < maxDelayDays && random.chance(0.5);
  return { count: isPutOff ? Math.max(0, due - 1) : due, spacing: usual };
}

function daysSinceService(intervalDays: number, random: Random): number {
  const draw = random.next();
  if (draw < 0.08) return intervalDays + random.between(3, 60);
  if (draw < 0.4) return intervalDays - random.between(1, 30);
  return random.between(0, intervalDays - 31);
}

/** The car's own forecast, so that one look at the date tells who is due. */
export function nextService(
  model: Model,
  { times, intervalDays }: Services,
  {
    registeredAt,
    mileageAt,
    odometer,
  }: {
    registeredAt: number;
    mileageAt: (time: number) => number;
    odometer: number;
  },
): NextService {
  if (tellsNoService(model)) return {};
  const last = times.at(-1);
  const since = odometer - (last === undefined ? 0 : mileageAt(last));
  const distance = roles[model.role].serviceKm - since;
  return {
    nextServiceDate: dateOf((last ?? registeredAt) + intervalDays * DAY_MS),
    nextServiceDistance: Math.round(distance / 100) * 100,
  };
}
