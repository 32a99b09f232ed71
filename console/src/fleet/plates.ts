import type { Motorpool } from '@motorpool/client';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useFleet } from '../session/connection.tsx';
import { plateOf } from '../values/vehicle-names.ts';
import { queryKey } from './queries.ts';

/** The plates of the vehicles that are named by their ids alone. */
function platesOf(fleet: Motorpool, ids: readonly string[]) {
  const sorted = [...new Set(ids)].sort();
  return queryOptions({
    queryKey: queryKey('vehicle', 'plates', sorted),
    queryFn: async ({ signal }) => {
      const vehicles = await fleet.vehicles
        .find(
          {
            filters: [{ field: 'asset.id', operator: 'in', value: sorted }],
            pagination: { pageSize: 1_000 },
          },
          { signal },
        )
        .page();
      return new Map(vehicles.items.map((one) => [one.asset.id, plateOf(one)]));
    },
    enabled: sorted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
}

/** The plate of a vehicle by its id; the id until it is known. */
export function usePlates(ids: readonly (string | undefined)[]): (vehicleId: string) => string {
  const fleet = useFleet();
  const known = ids.filter((id) => id !== undefined);
  const { data } = useQuery(platesOf(fleet, known));
  return (vehicleId) => data?.get(vehicleId) ?? vehicleId;
}
