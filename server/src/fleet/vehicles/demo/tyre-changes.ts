import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoVehicle } from './demo-vehicle.ts';
import { workdayFrom } from './workdays.ts';

export type TyreChange = { time: number; to: 'summer' | 'winter' };

/** In Germany in April and in October; in France all stay on all-season tyres. */
export function tyreChanges(vehicle: DemoVehicle): TyreChange[] {
  if (vehicle.isFrench) return [];
  const { first, last } = vehicle.recorded;
  // A vehicle that is registered in spring comes on summer tyres.
  const fromSummer = vehicle.registeredAt + 75 * DAY_MS;
  const earliest = (to: TyreChange['to']) =>
    to === 'summer' ? Math.max(first, fromSummer) : first;
  const years = [];
  for (let year = yearOf(first); year <= yearOf(last); year += 1) years.push(year);
  return years
    .flatMap((year): TyreChange[] => {
      const random = randomFor(`${vehicle.asset.id}/tyres/${year}`);
      return [
        { time: dayOf(year, 3, random.integer(3, 24)), to: 'summer' },
        { time: dayOf(year, 9, random.integer(8, 27)), to: 'winter' },
      ];
    })
    .filter(({ time, to }) => time >= earliest(to) && time < vehicle.movedUntil);
}

/** What stands on the road at a moment. */
export function tyresAt(vehicle: DemoVehicle, time: number): 'summer' | 'winter' | 'all-season' {
  if (vehicle.isFrench) return 'all-season';
  const last = tyreChanges(vehicle).findLast((change) => change.time <= time);
  if (last) return last.to;
  const month = new Date(time).getUTCMonth();
  return month >= 1 && month < 9 ? 'summer' : 'winter';
}

const setKm = 40_000;

/** The tread of the tyres in mm, in steps of a half: each of the two sets goes half of the way. */
export function treadAt(vehicle: DemoVehicle, time: number): number {
  const worn = ((vehicle.mileageAt(time) / 2) % setKm) / setKm;
  return Math.round((8 - 5 * worn) * 2) / 2;
}

function dayOf(year: number, month: number, day: number): number {
  return workdayFrom(Date.UTC(year, month, day) + DAY_MS / 3, false);
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}
