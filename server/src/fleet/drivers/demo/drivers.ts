import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import type { Customer } from '../../users/public.ts';
import { type DemoVehicle, demoVehicles } from '../../vehicles/public.ts';

export type Driver = { vehicleId: string; customer: Customer; addedAt: string };

export const customerCounts = { rich: 120, small: 9 };

/** Two thirds of the vehicles have one to three drivers; every customer drives at least one. */
export function drivers(scope: DemoScope): Driver[] {
  const customerCount = customerCounts[scope.extent];
  const driven = demoVehicles(scope).filter((vehicle) => vehicle.lot('drivers') < 2 / 3);
  return driven.flatMap((vehicle, index) => {
    const { id } = vehicle.asset;
    const random = randomFor(`${id}/drivers/who`);
    const { first, last } = vehicle.recorded;
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
export function customerOf({ asset }: DemoVehicle, number: number): Customer {
  const { assetProviderCountryCode: country, assetProviderCode: code } = asset;
  return {
    mobilityProviderCountryCode: country,
    mobilityProviderCode: number % 4 === 3 ? 'CSH' : 'MOB',
    customerId: uuidFor(`${country}-${code}/customer/${number}`),
  };
}

/** Who drives the vehicles of the demo, by vehicle. */
export const demoCustomers = memoizeByIdentity(
  (scope: DemoScope): ReadonlyMap<string, readonly Customer[]> => {
    const byVehicle = Map.groupBy(drivers(scope), ({ vehicleId }) => vehicleId);
    return new Map(
      [...byVehicle].map(([vehicleId, all]) => [vehicleId, all.map(({ customer }) => customer)]),
    );
  },
);
