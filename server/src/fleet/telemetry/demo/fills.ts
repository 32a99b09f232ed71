import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { randomFor } from '../../../platform/random/random.ts';
import type { DemoVehicle } from '../../vehicles/public.ts';
import { pluggedTimes } from './plugged-times.ts';

/** What went into the tank; levels in litres. */
export type Fill = { time: number; odometer: number; litres: number; toLevel: number };

/**
 * Worked back from the level that the tank has now: the distance since the last fill is what the missing
 * litres were used for, and so on from the level at which that fill began.
 */
export const fills = memoizeByIdentity((vehicle: DemoVehicle): Fill[] => {
  const { model, status, recorded, mileageAt } = vehicle;
  const { tankLitres } = model;
  if (tankLitres === undefined) return [];
  const random = randomFor(`${vehicle.asset.id}/fuel`);
  const litresPerKm = litresPerKmOf(vehicle);
  const firstOdometer = mileageAt(recorded.first);
  let odometer = status.odometer ?? 0;
  let level = ((status.fuelLevel ?? 0) / 100) * tankLitres;
  const found: Fill[] = [];
  for (;;) {
    const full = Math.max(level, tankLitres * random.between(0.95, 0.99));
    odometer -= (full - level) / (litresPerKm * random.between(0.95, 1.05));
    if (odometer <= firstOdometer) return found.reverse();
    level = tankLitres * random.between(0.08, 0.28);
    const time = timeAt(vehicle, odometer);
    const litres = Math.round((full - level) * 10) / 10;
    found.push({ time, odometer, litres, toLevel: full });
  }
});

/** How full the tank was at a moment, in percent; nothing before the first fill that is known. */
export function tankLevelAt(vehicle: DemoVehicle, time: number): number | undefined {
  const { tankLitres } = vehicle.model;
  const last = fills(vehicle).findLast((fill) => fill.time <= time);
  if (tankLitres === undefined || !last) return undefined;
  const used = (vehicle.mileageAt(time) - last.odometer) * litresPerKmOf(vehicle);
  return Math.max(4, ((last.toLevel - used) / tankLitres) * 100);
}

function litresPerKmOf(vehicle: DemoVehicle): number {
  return (vehicle.model.per100Km / 100) * (1 - electricShare(vehicle));
}

/** The share of its way that a plug-in hybrid has gone on what it charged. */
function electricShare(vehicle: DemoVehicle): number {
  const { electric, recorded, status, mileageAt } = vehicle;
  const km = (status.odometer ?? 0) - mileageAt(recorded.first);
  if (!electric || km <= 0) return 0;
  const kwh = pluggedTimes(vehicle).reduce((sum, { countedKwh }) => sum + countedKwh, 0);
  return Math.min(0.6, kwh / electric.kwhPerKm / km);
}

/** When a vehicle reached an odometer in its recorded time, to the minute. */
export function timeAt({ mileageAt, recorded, movedUntil }: DemoVehicle, odometer: number): number {
  let [from, to] = [recorded.first, movedUntil];
  while (to - from > 60_000) {
    const middle = Math.floor((from + to) / 2);
    if (mileageAt(middle) < odometer) from = middle;
    else to = middle;
  }
  return to;
}
