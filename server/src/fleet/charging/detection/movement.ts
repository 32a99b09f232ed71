import type { ChargingSample, Session } from './session.ts';

type Location = { lat: number; lng: number };

// Vehicles round their odometers, and positions scatter in garages.
const toleratedKm = { odometer: 1, position: 0.5 };

/** Whether a vehicle is no longer where it charged. That its engine runs shows nothing: it may be heating. */
export function hasMoved(
  { from, lastSignal, odometer, location }: Session,
  sample: ChargingSample,
  gapMs: number,
): boolean {
  // A value from before the session may have been outdated at its start; after a silence, the vehicle can have left.
  const isSilent = sample.time - lastSignal >= gapMs;
  const counts = (known: { time: number }) => known.time >= from || isSilent;
  const drivenKm =
    odometer && counts(odometer) && sample.odometer !== undefined
      ? sample.odometer - odometer.value
      : 0;
  const distanceKm =
    location && counts(location) && sample.location ? kmBetween(location, sample.location) : 0;
  return drivenKm > toleratedKm.odometer || distanceKm > toleratedKm.position;
}

const earthRadiusKm = 6_371;
const radians = Math.PI / 180;

/** The length of the great circle. */
function kmBetween(one: Location, other: Location): number {
  const halfSine = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const chord =
    halfSine(other.lat - one.lat) +
    Math.cos(one.lat * radians) * Math.cos(other.lat * radians) * halfSine(other.lng - one.lng);
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, chord)));
}
