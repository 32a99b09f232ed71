import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { customerCounts, customerOf, type Driver, drivers } from './drivers.ts';

type PastAssignment = Driver & { removedAt: string };

/** Most vehicles whose drivers of today came later had one to three before them, one after the other. */
export function pastAssignments(scope: DemoScope): PastAssignment[] {
  const current = Map.groupBy(drivers(scope), ({ vehicleId }) => vehicleId);
  return demoVehicles(scope).flatMap((vehicle) => {
    const { id } = vehicle.asset;
    const random = randomFor(`${id}/drivers/before`);
    if (random.chance(0.2)) return [];
    const { first, last } = vehicle.recorded;
    const added = (current.get(id) ?? []).map(({ addedAt }) => Date.parse(addedAt));
    const end = Math.min(last, ...added);
    const count = random.integer(1, 3);
    const length = (end - first) / count;
    if (length < DAY_MS) return [];
    return Array.from({ length: count }, (_, nth) => {
      const begin = first + nth * length;
      return {
        vehicleId: id,
        customer: customerOf(vehicle, random.integer(0, customerCounts[scope.extent] - 1)),
        addedAt: atMillisecond(begin + random.between(0, 0.2) * length),
        removedAt: atMillisecond(begin + random.between(0.8, 0.99) * length),
      };
    });
  });
}

function atMillisecond(time: number): string {
  return new Date(Math.floor(time)).toISOString();
}
