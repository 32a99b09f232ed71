import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import type { Customer } from '../../users/public.ts';
import {
  type DemoVehicle,
  demoVehicles,
  workdayFrom,
  workdayUntil,
} from '../../vehicles/public.ts';

export type Driver = { vehicleId: string; customer: Customer; addedAt: string };

export const customerCounts = { rich: 120, small: 9 };

/** Two thirds of the vehicles have one to three drivers; every customer drives at least one. */
export function drivers(scope: DemoScope): Driver[] {
  const customerCount = customerCounts[scope.extent];
  const driven = demoVehicles(scope).filter((vehicle) => vehicle.lot('drivers') < 2 / 3);
  return driven.flatMap((vehicle, index) => {
    const { id } = vehicle.asset;
    const random = randomFor(`${id}/drivers/who`);
    const numbers = new Set([index % customerCount]);
    for (const chance of [0.35, 0.15]) {
      if (random.chance(chance)) numbers.add(random.integer(0, customerCount - 1));
    }
    return [...numbers].map((number, position) => ({
      vehicleId: id,
      customer: customerOf(vehicle, number),
      addedAt: new Date(addedAt(vehicle, position === 0, random)).toISOString(),
    }));
  });
}

/** In the office: the first driver soon after the vehicle came, any other since. */
function addedAt(vehicle: DemoVehicle, isFirst: boolean, random: Random): number {
  const { registeredAt, movedUntil, isFrench } = vehicle;
  const earliest = registeredAt + DAY_MS;
  const share = random.next() ** 2;
  const latest = isFirst ? Math.min(registeredAt + 60 * DAY_MS, movedUntil) : movedUntil - DAY_MS;
  const day = Math.floor((earliest + Math.max(0, latest - earliest) * share) / DAY_MS);
  const time = day * DAY_MS + random.integer(7 * 60, 15 * 60) * 60_000;
  const before = workdayUntil(time, isFrench);
  const added = before > earliest ? before : workdayFrom(earliest + 8 * HOUR_MS, isFrench);
  return Math.min(added, movedUntil);
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

const driversOf = memoizeByIdentity((scope: DemoScope) =>
  Map.groupBy(drivers(scope), ({ vehicleId }) => vehicleId),
);

/** Who drove a vehicle of the demo at a moment. */
export function customersAt(scope: DemoScope, { asset }: DemoVehicle, time: number): Customer[] {
  const all = driversOf(scope).get(asset.id) ?? [];
  return all.filter(({ addedAt }) => Date.parse(addedAt) <= time).map(({ customer }) => customer);
}
