import { type Random, randomFor } from '../../../platform/random/random.ts';
import { pluggedTimes } from '../../telemetry/public.ts';
import { burnsDiesel, type DemoVehicle } from '../../vehicles/public.ts';
import type { Milestone } from './logbook-events.ts';

/** Every fill, and what was charged elsewhere than in the depot. */
export function energyReceipts(vehicle: DemoVehicle): Milestone[] {
  return [...fuelReceipts(vehicle), ...chargingReceipts(vehicle)];
}

type Fill = { time: number; litres: number };

function fuelReceipts(vehicle: DemoVehicle): Milestone[] {
  const diesel = burnsDiesel(vehicle.model);
  const [german, french] = diesel ? ['Diesel', 'Gazole'] : ['Super E10', 'SP95-E10'];
  const random = randomFor(`${vehicle.asset.id}/fuel/prices`);
  return fills(vehicle).map(({ time, litres }) => {
    const price = pumpPrice(diesel, vehicle.isFrench, random);
    return {
      time,
      event: {
        category: 'fuel',
        title: `${litres} l ${vehicle.isFrench ? french : german}`,
        description: `${price.toFixed(3)} EUR/l, ${vehicle.addressNear(random)}.`,
        cents: Math.round(litres * price * 100),
        tags: ['fuel card'],
      },
    };
  });
}

/** German prices end in nine tenths of a cent, and French ones anywhere. */
function pumpPrice(diesel: boolean, isFrench: boolean, random: Random): number {
  const cents = diesel ? random.integer(157, 170) : random.integer(164, 179);
  return (cents + (isFrench ? random.integer(0, 9) / 10 : 0.9)) / 100;
}

/**
 * Worked back from the level that the tank has now: the distance since the last fill is what the missing
 * litres were used for, and so on from the level at which that fill began.
 */
function fills(vehicle: DemoVehicle): Fill[] {
  const { model, status, recorded, movedUntil, mileageAt } = vehicle;
  const { tankLitres } = model;
  if (tankLitres === undefined) return [];
  const random = randomFor(`${vehicle.asset.id}/fuel`);
  const litresPerKm = (model.per100Km / 100) * (1 - electricShare(vehicle));
  const firstOdometer = mileageAt(recorded.first);
  let odometer = status.odometer ?? 0;
  let level = ((status.fuelLevel ?? 0) / 100) * tankLitres;
  const found: Fill[] = [];
  for (;;) {
    const full = Math.max(level, tankLitres * random.between(0.95, 0.99));
    odometer -= (full - level) / (litresPerKm * random.between(0.95, 1.05));
    if (odometer <= firstOdometer) return found.reverse();
    level = tankLitres * random.between(0.08, 0.28);
    const time = timeOf(odometer, mileageAt, recorded.first, movedUntil);
    found.push({ time, litres: Math.round((full - level) * 10) / 10 });
  }
}

/** The share of its way that a plug-in hybrid has gone on what it charged. */
function electricShare(vehicle: DemoVehicle): number {
  const { electric, recorded, status, mileageAt } = vehicle;
  const km = (status.odometer ?? 0) - mileageAt(recorded.first);
  if (!electric || km <= 0) return 0;
  const kwh = pluggedTimes(vehicle).reduce((sum, { countedKwh }) => sum + countedKwh, 0);
  return Math.min(0.6, kwh / electric.kwhPerKm / km);
}

/** When an odometer was reached, to the minute. */
function timeOf(
  odometer: number,
  mileageAt: (time: number) => number,
  first: number,
  last: number,
): number {
  let [from, to] = [first, last];
  while (to - from > 60_000) {
    const middle = Math.floor((from + to) / 2);
    if (mileageAt(middle) < odometer) from = middle;
    else to = middle;
  }
  return to;
}

function chargingReceipts(vehicle: DemoVehicle): Milestone[] {
  const random = randomFor(`${vehicle.asset.id}/charging/prices`);
  return pluggedTimes(vehicle)
    .filter(({ charger }) => charger !== 'depot')
    .map(({ from, charger, street, countedKwh }) => {
      const kwh = Math.round(countedKwh * 10) / 10;
      const price = kwhPrice(charger === 'fast charger', vehicle.isFrench, random);
      return {
        time: from,
        event: {
          category: 'charging',
          title: `${kwh} kWh at a ${charger}`,
          description: `${price.toFixed(2)} EUR/kWh, ${street.replace(/ \(.*\)$/, '')}, ${vehicle.home.name}.`,
          cents: Math.round(kwh * price * 100),
          tags: ['charging card'],
        },
      };
    });
}

function kwhPrice(fast: boolean, isFrench: boolean, random: Random): number {
  const [from, to] = fast ? (isFrench ? [45, 65] : [59, 79]) : isFrench ? [30, 42] : [45, 56];
  return random.integer(from as number, to as number) / 100;
}
