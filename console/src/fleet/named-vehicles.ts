import type { Motorpool, Vehicle } from '@motorpool/client';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useFleet } from '../session/connection.tsx';
import { plateOf } from '../values/vehicle-names.ts';
import { queryKey } from './queries.ts';

/** The vehicles that other records name by their ids alone. */
function vehiclesOf(fleet: Motorpool, ids: readonly string[]) {
  const sorted = [...new Set(ids)].sort();
  return queryOptions({
    queryKey: queryKey('vehicle', 'named', sorted),
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
      return new Map(vehicles.items.map((one) => [one.asset.id, one]));
    },
    enabled: sorted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
}

/** A vehicle by its id; undefined until it is known. */
export function useVehicles(
  ids: readonly (string | undefined)[],
): (vehicleId: string) => Vehicle | undefined {
  const fleet = useFleet();
  const { data } = useQuery(
    vehiclesOf(
      fleet,
      ids.filter((id) => id !== undefined),
    ),
  );
  return (vehicleId) => data?.get(vehicleId);
}

/** The plate of a vehicle by its id; the id until it is known. */
export function usePlates(ids: readonly (string | undefined)[]): (vehicleId: string) => string {
  const vehicleById = useVehicles(ids);
  return (vehicleId) => plateOrId(vehicleById(vehicleId), vehicleId);
}

export const plateOrId = (vehicle: Vehicle | undefined, vehicleId: string): string =>
  vehicle ? plateOf(vehicle) : vehicleId;
