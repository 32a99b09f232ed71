import type { Vehicle } from '../fleet/vehicles/public.ts';
import { type City, frenchCities, germanCities } from './cities.ts';
import { type Model, models } from './models.ts';
import { type Random, randomFor } from './random.ts';

/** An entry, an incident… and whose it is. */
export type OfVehicle<Thing> = { vehicleId: string; thing: Thing };

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const TWO_YEARS_MS = 730 * DAY_MS;

/** A number below 1 by which vehicles are chosen: the lowest is that of the first, which the documentation names. */
export function lotOf({ asset }: Vehicle, what: string): number {
  return asset.id.endsWith('*V0001') ? -1 : randomFor(`${asset.id}/${what}`).next();
}

/** The time in which things happened to a vehicle: its last two years up to its newest signal. */
export function recordedTime(vehicle: Vehicle, now: Date): { first: number; last: number } {
  const delivered = registeredAt(vehicle) + 7 * DAY_MS;
  return { first: Math.max(delivered, now.getTime() - TWO_YEARS_MS), last: lastNews(vehicle) };
}

export function registeredAt({ information }: Vehicle): number {
  return Date.parse(information.firstRegistrationDate ?? '');
}

export function lastNews({ status }: Vehicle): number {
  return Date.parse(status.lastUpdated ?? '');
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function modelOf({ information }: Vehicle): Model {
  const { vendor, model, variant } = information;
  const found = models.find(
    (each) => each.vendor === vendor && each.model === model && each.variant === variant,
  );
  if (found === undefined) {
    throw new RangeError(`No such model: ${vendor} ${model} ${variant}`);
  }
  return found;
}

export function isFrench({ asset }: Vehicle): boolean {
  return asset.assetProviderCountryCode === 'FR';
}

/** An address in the town of the vehicle. */
export function addressNear(vehicle: Vehicle, random: Random): string {
  const city = homeOf(vehicle);
  // What stands in brackets tells apart two points of one street.
  const street = random.pick(city.streets).name.replace(/ \(.*\)$/, '');
  const number = random.integer(2, 148);
  return isFrench(vehicle)
    ? `${number} ${street}, ${city.name}`
    : `${street} ${number}, ${city.name}`;
}

export function homeOf(vehicle: Vehicle): City {
  const { licensePlate = '' } = vehicle.information;
  const { location } = vehicle.status;
  const home = isFrench(vehicle)
    ? frenchCities.find(({ bounds }) => location !== undefined && location.lat > bounds.south)
    : germanCities.find(({ plateCode }) => licensePlate.startsWith(`${plateCode}-`));
  const [anywhere] = isFrench(vehicle) ? frenchCities : germanCities;
  return home ?? (anywhere as City);
}
