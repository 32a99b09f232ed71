import type { Customer } from '../fleet/users/public.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { DAY_MS, lotOf, recordedTime } from './history.ts';
import { randomFor } from './random.ts';
import { uuidFor } from './uuid.ts';

export type Driver = { vehicleId: string; customer: Customer; addedAt: string };

/** Two thirds of the vehicles have one to three drivers; every customer drives at least one. */
export function drivers(fleet: readonly Vehicle[], customerCount: number, now: Date): Driver[] {
  const driven = fleet.filter((vehicle) => lotOf(vehicle, 'drivers') < 2 / 3);
  return driven.flatMap((vehicle, index) => {
    const { id } = vehicle.asset;
    const random = randomFor(`${id}/drivers/who`);
    const { first, last } = recordedTime(vehicle, now);
    const numbers = new Set([index % customerCount]);
    for (const chance of [0.35, 0.15]) {
      if (random.chance(chance)) numbers.add(random.integer(0, customerCount - 1));
    }
    return [...numbers].map((number) => ({
      vehicleId: id,
      customer: customerOf(vehicle, number),
      addedAt: new Date(
        Math.floor(random.between(Math.min(first, last - DAY_MS), last)),
      ).toISOString(),
    }));
  });
}

/** Most are customers of one mobility provider, and some of another. */
function customerOf({ asset }: Vehicle, number: number): Customer {
  const { assetProviderCountryCode: country, assetProviderCode: code } = asset;
  return {
    mobilityProviderCountryCode: country,
    mobilityProviderCode: number % 4 === 3 ? 'CSH' : 'MOB',
    customerId: uuidFor(`${country}-${code}/customer/${number}`),
  };
}

/** The customers of each vehicle. */
export function customersByVehicle(all: readonly Driver[]): Map<string, Customer[]> {
  const byVehicle = new Map<string, Customer[]>();
  for (const { vehicleId, customer } of all) {
    byVehicle.set(vehicleId, [...(byVehicle.get(vehicleId) ?? []), customer]);
  }
  return byVehicle;
}
