import { type Random, randomFor } from '../../../platform/random/random.ts';
import { fills, pluggedTimes } from '../../telemetry/public.ts';
import { burnsDiesel, type DemoVehicle } from '../../vehicles/public.ts';
import type { Milestone } from './logbook-events.ts';

/** Every fill, and what was charged elsewhere than in the depot. */
export function energyReceipts(vehicle: DemoVehicle): Milestone[] {
  return [...fuelReceipts(vehicle), ...chargingReceipts(vehicle)];
}

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
