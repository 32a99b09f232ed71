import type { Vehicle } from '../fleet/vehicles/public.ts';
import { along } from './cities.ts';
import { DAY_MS, HOUR_MS, homeOf } from './history.ts';
import { roadHours } from './mileage.ts';
import { randomFor } from './random.ts';

/** A time in which a vehicle stands: at noon somewhere in its town, at night where it belongs. */
export type Stop = {
  at: 'noon' | 'night';
  from: number;
  to: number;
  odometer: number;
};

/** All stops that lie in a time as a whole, oldest first. */
export function stopsBetween(from: number, to: number, mileage: (time: number) => number): Stop[] {
  const { morning, noon, afternoon, evening } = roadHours;
  const stops: Stop[] = [];
  for (let day = Math.ceil(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const add = (at: Stop['at'], begin: number, end: number) => {
      const times = { from: day + begin * HOUR_MS, to: day + end * HOUR_MS };
      if (times.to <= to) stops.push({ at, ...times, odometer: mileage(times.from) });
    };
    add('noon', noon, afternoon);
    add('night', evening, 24 + morning);
  }
  return stops;
}

/** Where it stands; nowhere if that may not be kept. */
export function placeOf(vehicle: Vehicle, { at, from }: Pick<Stop, 'at' | 'from'>) {
  if (vehicle.information.trackGeolocation === false) return undefined;
  const { id } = vehicle.asset;
  const random = randomFor(at === 'night' ? `${id}/depot` : `${id}/noon/${from}`);
  return along(random.pick(homeOf(vehicle).streets), random.between(-8, 8));
}
