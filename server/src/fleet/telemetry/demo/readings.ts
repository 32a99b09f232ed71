import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import type { DemoContext } from '../../demo-context.ts';
import { type DemoVehicle, type Electric, roadHours } from '../../vehicles/public.ts';
import { type PluggedTime, pluggedTimes } from './plugged-times.ts';
import { locationAt, type Stop, stopsBetween } from './stops.ts';

/** What the history keeps of a moment. */
export type Reading = {
  time: number;
  odometer: number;
  level?: number;
  /** Of a plug-in hybrid, whose level is that of its tank. */
  stateOfCharge?: number;
  location?: { lat: number; lng: number };
  isCharging?: boolean;
  isPluggedIn?: boolean;
  energyMeter?: number;
};

const otherDays = 120;

const allReadings = memoizeByIdentity(readings);

/** What a vehicle has told in two years, as far back as a history is kept, oldest first. */
export function demoReadings(
  { settings, clock }: Pick<DemoContext, 'settings' | 'clock'>,
  vehicle: DemoVehicle,
): Reading[] {
  const start = clock.now().getTime() - settings.historyDays * DAY_MS;
  return allReadings(vehicle).filter(({ time }) => time >= start);
}

/**
 * Whenever it was plugged in and off. Besides, battery vehicles every evening for two years, and all
 * others an evening a week for as long as a forecast looks back. The last one is the status.
 */
export function readings(vehicle: DemoVehicle): Reading[] {
  const { electric } = vehicle;
  const { first, last } = vehicle.recorded;
  const evenings = electric?.levelIsCharge
    ? eveningsSince(vehicle, first)
    : eveningsSince(vehicle, Math.max(first, last - otherDays * DAY_MS)).filter(
        (_, index) => index % 7 === 0,
      );
  if (!electric) return [...evenings.map((stop) => eveningOf(vehicle, stop)), newest(vehicle)];

  const chargings = pluggedTimes(vehicle);
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
function meterNow({ status }: DemoVehicle, { kwhPerKm }: Electric): number {
  return Math.round((status.odometer ?? 0) * kwhPerKm * 1.12) + 20;
}

/** When the night began that a moment lies in, if it lies in one. */
function nightOf(time: number): number | undefined {
  const evening = roadHours.evening * HOUR_MS;
  const lengthMs = DAY_MS - (roadHours.evening - roadHours.morning) * HOUR_MS;
  const sinceEvening = (time - evening) % DAY_MS;
  return sinceEvening < lengthMs ? time - sinceEvening : undefined;
}

function eveningsSince(vehicle: DemoVehicle, first: number): Stop[] {
  const end = vehicle.stand?.since ?? vehicle.recorded.last;
  return stopsBetween(vehicle, first, end + DAY_MS).filter(
    ({ at, from }) => at === 'night' && from + HOUR_MS < end,
  );
}

function eveningOf(vehicle: DemoVehicle, stop: Stop): Reading {
  const random = randomFor(`${vehicle.asset.id}/evening/${stop.from}`);
  const location = locationAt(vehicle, stop);
  return {
    time: Math.floor(stop.from + random.between(0, 0.5) * HOUR_MS),
    odometer: stop.odometer,
    ...(location && { location }),
  };
}

function newest({ status }: DemoVehicle): Reading {
  const { lastUpdated = '', odometer = 0, fuelLevel, location, isCharging, isPluggedIn } = status;
  return {
    time: Date.parse(lastUpdated),
    odometer,
    ...(fuelLevel !== undefined && { level: fuelLevel }),
    ...(location && { location }),
    ...(isCharging !== undefined && { isCharging }),
    ...(isPluggedIn !== undefined && { isPluggedIn }),
  };
}

function pluggedReadings(
  vehicle: DemoVehicle,
  electric: Electric,
  chargings: readonly PluggedTime[],
): Reading[] {
  const counted = chargings.reduce((sum, { countedKwh }) => sum + countedKwh, 0);
  let meter = meterNow(vehicle, electric) - counted;
  return chargings.flatMap(({ from, to, fromLevel, toLevel, location, countedKwh }) => {
    const reading = (time: number, level: number | undefined): Reading => ({
      time,
      odometer: vehicle.mileageAt(time),
      ...(level !== undefined && (electric.levelIsCharge ? { level } : { stateOfCharge: level })),
      ...(location && { location }),
      ...(electric.counts && { energyMeter: hundredths(meter) }),
    });
    const begin = { ...reading(from, fromLevel), isCharging: true, isPluggedIn: true };
    meter += countedKwh;
    if (to === undefined) return [begin];
    const staysPlugged = from === vehicle.stand?.since;
    return [begin, { ...reading(to, toLevel), isCharging: false, isPluggedIn: staysPlugged }];
  });
}

/** How full the battery was at a moment, in percent. */
export function chargeLevelAt(vehicle: DemoVehicle, time: number): number | undefined {
  const { electric } = vehicle;
  if (!electric?.levelIsCharge) return undefined;
  return levels(vehicle, electric, pluggedTimes(vehicle))(time);
}

/** The level between charges, for moments that come in order. */
function levels(
  { mileageAt }: DemoVehicle,
  { kwhPerKm, capacityKwh }: Electric,
  chargings: readonly PluggedTime[],
): (time: number) => number | undefined {
  let next = 0;
  return (time) => {
    while (next < chargings.length && (chargings[next]?.to ?? time) < time) next += 1;
    const before = chargings[next - 1];
    const known = before ?? chargings[0];
    if (!known) return undefined;
    const level = (before ? known.toLevel : known.fromLevel) ?? 0;
    const km = mileageAt(time) - mileageAt(known.from);
    return tenths(Math.min(100, Math.max(0, level - (km * kwhPerKm * 100) / capacityKwh)));
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
