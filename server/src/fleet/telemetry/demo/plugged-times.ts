import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import { HOUR_MS } from '../../../platform/time/duration.ts';
import type { DemoVehicle, Electric } from '../../vehicles/public.ts';
import { chargesBefore } from './charges.ts';
import { locationAt, type Stop, stopsBetween, streetAt } from './stops.ts';

type Stand = NonNullable<DemoVehicle['stand']>;

/** A time at the plug, with the states of charge; a running one has no end. */
export type PluggedTime = {
  from: number;
  fromLevel?: number;
  to?: number;
  toLevel?: number;
  charger: 'depot' | 'charging point' | 'fast charger';
  street: string;
  location?: { lat: number; lng: number };
  /** As a counter before the battery counts it, with what is lost on the way. */
  countedKwh: number;
};

/** How a vehicle was charged in the last two years, oldest first; nothing without a plug. */
export const pluggedTimes = memoizeByIdentity((vehicle: DemoVehicle): PluggedTime[] => {
  const { electric, stand, recorded } = vehicle;
  if (!electric) return [];
  const random = randomFor(`${vehicle.asset.id}/charging`);
  const stops = stopsBetween(vehicle, recorded.first, Math.min(vehicle.movedUntil, recorded.last));
  const past = electric.levelIsCharge
    ? batteryCharging(vehicle, electric, stops, random)
    : plugInCharging(vehicle, electric, stops, random);
  return stand ? [...past, standing(vehicle, stand)] : past;
});

function batteryCharging(
  vehicle: DemoVehicle,
  electric: Electric,
  stops: readonly Stop[],
  random: Random,
): PluggedTime[] {
  const { odometer = 0, fuelLevel = 0 } = vehicle.status;
  const end = { odometer, level: vehicle.stand?.fromLevel ?? fuelLevel };
  return chargesBefore(stops, end, electric, random).map(({ stop, from, to }) => {
    const kwh = ((to - from) / 100) * electric.capacityKwh;
    return { ...atStop(vehicle, stop, kwh, electric, random), fromLevel: from, toLevel: to };
  });
}

/** On one of four nights, what was driven since, as far as it fits into the battery. */
function plugInCharging(
  vehicle: DemoVehicle,
  electric: Electric,
  stops: readonly Stop[],
  random: Random,
): PluggedTime[] {
  const nights = stops.filter(({ at }) => at === 'night');
  // The rest is kept for the hybrid drive.
  const usableKwh = electric.capacityKwh * 0.9;
  const all: PluggedTime[] = [];
  let charged = nights[0]?.odometer ?? 0;
  for (const stop of nights) {
    const missing = Math.min(usableKwh, (stop.odometer - charged) * electric.kwhPerKm);
    if (missing < 2 || random.chance(0.75)) continue;
    charged = stop.odometer;
    const fromLevel = 100 - Math.round((missing / electric.capacityKwh) * 100);
    all.push({ ...atStop(vehicle, stop, missing, electric, random), fromLevel, toLevel: 100 });
  }
  return all;
}

/** At noon in town, at night at a wallbox; either is left before the vehicle drives on. */
function atStop(
  vehicle: DemoVehicle,
  stop: Stop,
  kwh: number,
  electric: Electric,
  random: Random,
): PluggedTime {
  const charger =
    stop.at === 'night' ? 'depot' : electric.maxDcKw ? 'fast charger' : 'charging point';
  const [kw, loss] =
    charger === 'fast charger'
      ? [averageDcKw(electric, random), random.between(0.02, 0.04)]
      : [electric.acKw, random.between(0.04, 0.09)];
  const durationMs = (kwh / kw) * HOUR_MS;
  const spareMs = stop.to - stop.from - durationMs;
  const from = Math.floor(stop.from + spareMs * random.between(0.05, 0.35));
  const location = locationAt(vehicle, stop);
  return {
    from,
    to: Math.floor(from + durationMs),
    charger,
    street: streetAt(vehicle, stop).name,
    ...(location && { location }),
    countedKwh: kwh * (1 + loss),
  };
}

/** No more than the charger and the vehicle can, and on average less, since the power falls with the level. */
function averageDcKw({ maxDcKw = 0 }: Electric, random: Random): number {
  return Math.min(maxDcKw, random.pick([50, 150, 150])) * random.between(0.5, 0.75);
}

function standing({ status }: DemoVehicle, stand: Stand): PluggedTime {
  const { location } = status;
  const { since, until, chargedKwh, fromLevel, toLevel } = stand;
  return {
    from: since,
    fromLevel,
    ...(until !== undefined && { to: until, toLevel }),
    charger: 'depot',
    street: '',
    ...(location && { location }),
    countedKwh: chargedKwh * 1.06,
  };
}
