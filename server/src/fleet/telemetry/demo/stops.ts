import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { along, type DemoVehicle, roadHours } from '../../vehicles/public.ts';

/** A time in which a vehicle stands: at noon somewhere in its town, at night where it belongs. */
export type Stop = {
  at: 'noon' | 'night';
  from: number;
  to: number;
  odometer: number;
};

/** All stops of a vehicle that lie in a time as a whole, oldest first. */
export function stopsBetween({ mileageAt }: DemoVehicle, from: number, to: number): Stop[] {
  const { morning, noon, afternoon, evening } = roadHours;
  const stops: Stop[] = [];
  for (let day = Math.ceil(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const add = (at: Stop['at'], begin: number, end: number) => {
      const times = { from: day + begin * HOUR_MS, to: day + end * HOUR_MS };
      if (times.to <= to) stops.push({ at, ...times, odometer: mileageAt(times.from) });
    };
    add('noon', noon, afternoon);
    add('night', evening, 24 + morning);
  }
  return stops;
}

/** Where it stands; nowhere if that may not be kept. */
export function locationAt(vehicle: DemoVehicle, { at, from }: Pick<Stop, 'at' | 'from'>) {
  if (vehicle.information.trackGeolocation === false) return undefined;
  const { id } = vehicle.asset;
  const random = randomFor(at === 'night' ? `${id}/depot` : `${id}/noon/${from}`);
  return along(random.pick(vehicle.home.streets), random.between(-8, 8));
}
