import type { Vehicle } from '../fleet/vehicles/public.ts';
import type { Charging } from './charging.ts';
import { type Electric, electricOf } from './electric.ts';
import { DAY_MS, HOUR_MS, lastNews, recordedTime } from './history.ts';
import { mileageOf, roadHours } from './mileage.ts';
import { randomFor } from './random.ts';
import { standOf } from './stand.ts';
import { placeOf, type Stop, stopsBetween } from './stops.ts';

/** What the history keeps of a moment. */
export type Reading = {
  time: number;
  odometer: number;
  level?: number;
  place?: { lat: number; lng: number };
  isCharging?: boolean;
  isPluggedIn?: boolean;
  energyMeter?: number;
};

const otherDays = 120;

/**
 * Whenever it was plugged in and off. Besides, battery vehicles every evening for two years, and all
 * others an evening a week for as long as a forecast looks back. The last one is the status.
 */
export function readings(vehicle: Vehicle, chargings: readonly Charging[], now: Date): Reading[] {
  const electric = electricOf(vehicle);
  const { first, last } = recordedTime(vehicle, now);
  const evenings = electric?.levelIsCharge
    ? eveningsSince(vehicle, first)
    : eveningsSince(vehicle, Math.max(first, last - otherDays * DAY_MS)).filter(
        (_, index) => index % 7 === 0,
      );
  if (!electric) return [...evenings.map((stop) => eveningOf(vehicle, stop)), newest(vehicle)];

  const plugged = pluggedReadings(vehicle, electric, chargings);
  const levelAt = electric.levelIsCharge ? levels(vehicle, electric, chargings) : () => undefined;
  const nights = new Set(chargings.map(({ from }) => nightOf(from)));
  const unplugged = evenings
    .filter(({ from }) => !nights.has(from))
    .map((stop): Reading => {
      const reading = eveningOf(vehicle, stop);
      const level = levelAt(reading.time);
      return {
        ...reading,
        ...(level !== undefined && { level }),
        isCharging: false,
        isPluggedIn: false,
      };
    });
  const energyMeter = electric.counts ? meterNow(vehicle, electric) : undefined;
  return [
    ...[...unplugged, ...plugged].sort((a, b) => a.time - b.time),
    { ...newest(vehicle), ...(energyMeter !== undefined && { energyMeter }) },
  ];
}

/** What was charged in all until the newest signal: a little more than was driven. */
function meterNow({ status }: Vehicle, { kwhPerKm }: Electric): number {
  return Math.round((status.odometer ?? 0) * kwhPerKm * 1.12) + 20;
}

/** When the night began that a moment lies in, if it lies in one. */
function nightOf(time: number): number | undefined {
  const evening = roadHours.evening * HOUR_MS;
  const lengthMs = DAY_MS - (roadHours.evening - roadHours.morning) * HOUR_MS;
  const sinceEvening = (time - evening) % DAY_MS;
  return sinceEvening < lengthMs ? time - sinceEvening : undefined;
}

function eveningsSince(vehicle: Vehicle, first: number): Stop[] {
  const end = standOf(vehicle)?.since ?? lastNews(vehicle);
  return stopsBetween(first, end + DAY_MS, mileageOf(vehicle)).filter(
    ({ at, from }) => at === 'night' && from + HOUR_MS < end,
  );
}

function eveningOf(vehicle: Vehicle, stop: Stop): Reading {
  const random = randomFor(`${vehicle.asset.id}/evening/${stop.from}`);
  const place = placeOf(vehicle, stop);
  return {
    time: Math.floor(stop.from + random.between(0, 0.5) * HOUR_MS),
    odometer: stop.odometer,
    ...(place && { place }),
  };
}

function newest({ status }: Vehicle): Reading {
  const { lastUpdated = '', odometer = 0, fuelLevel, location, isCharging, isPluggedIn } = status;
  return {
    time: Date.parse(lastUpdated),
    odometer,
    ...(fuelLevel !== undefined && { level: fuelLevel }),
    ...(location && { place: location }),
    ...(isCharging !== undefined && { isCharging }),
    ...(isPluggedIn !== undefined && { isPluggedIn }),
  };
}

function pluggedReadings(
  vehicle: Vehicle,
  electric: Electric,
  chargings: readonly Charging[],
): Reading[] {
  const mileage = mileageOf(vehicle);
  const stand = standOf(vehicle);
  const counted = chargings.reduce((sum, { countedKwh }) => sum + countedKwh, 0);
  let meter = meterNow(vehicle, electric) - counted;
  return chargings.flatMap(({ from, to, fromLevel, toLevel, place, countedKwh }) => {
    const reading = (time: number, level: number | undefined): Reading => ({
      time,
      odometer: mileage(time),
      ...(level !== undefined && { level }),
      ...(place && { place }),
      ...(electric.counts && { energyMeter: hundredths(meter) }),
    });
    const begin = { ...reading(from, fromLevel), isCharging: true, isPluggedIn: true };
    meter += countedKwh;
    if (to === undefined) return [begin];
    const staysPlugged = from === stand?.since;
    return [begin, { ...reading(to, toLevel), isCharging: false, isPluggedIn: staysPlugged }];
  });
}

/** The level between charges, for moments that come in order. */
function levels(
  vehicle: Vehicle,
  { kwhPerKm, capacityKwh }: Electric,
  chargings: readonly Charging[],
): (time: number) => number | undefined {
  const mileage = mileageOf(vehicle);
  let next = 0;
  return (time) => {
    while (next < chargings.length && (chargings[next]?.to ?? time) < time) next += 1;
    const before = chargings[next - 1];
    const known = before ?? chargings[0];
    if (!known) return undefined;
    const level = (before ? known.toLevel : known.fromLevel) ?? 0;
    const km = mileage(time) - mileage(known.from);
    return tenths(Math.min(100, Math.max(0, level - (km * kwhPerKm * 100) / capacityKwh)));
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
