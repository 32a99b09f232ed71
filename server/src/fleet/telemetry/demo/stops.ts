import { type Random, randomFor } from '../../../platform/random/random.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { along, type DemoVehicle, roadHours, type Street } from '../../vehicles/public.ts';

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

type At = Pick<Stop, 'at' | 'from'>;

/** Where it stands; nowhere if that may not be kept. */
export function locationAt(vehicle: DemoVehicle, stop: At) {
  if (vehicle.information.trackGeolocation === false) return undefined;
  if (stop.from >= (vehicle.standstill ?? Number.POSITIVE_INFINITY)) return vehicle.status.location;
  const random = randomAt(vehicle, stop);
  return along(random.pick(vehicle.home.streets), random.between(-8, 8));
}

/** The street in which it stands. */
export function streetAt(vehicle: DemoVehicle, stop: At): Street {
  return randomAt(vehicle, stop).pick(vehicle.home.streets);
}

function randomAt({ asset }: DemoVehicle, { at, from }: At): Random {
  return randomFor(at === 'night' ? `${asset.id}/depot` : `${asset.id}/noon/${from}`);
}
