import type { Motorpool, Vehicle } from '@motorpool/client';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useFleet } from '../session/connection.tsx';
import { plateIn } from '../values/vehicle-names.ts';
import { queryKey } from './queries.ts';

/** As many as a filter has values, and a page has entries. */
const sliceSize = 1_000;

export async function findVehicles(
  fleet: Motorpool,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Vehicle>> {
  const found = new Map<string, Vehicle>();
  for (let start = 0; start < ids.length; start += sliceSize) {
    const { items } = await fleet.vehicles
      .find(
        {
          filters: [
            { field: 'asset.id', operator: 'in', value: ids.slice(start, start + sliceSize) },
          ],
          pagination: { pageSize: sliceSize },
        },
        { signal },
      )
      .page();
    for (const vehicle of items) found.set(vehicle.asset.id, vehicle);
  }
  return found;
}

/** The vehicles that other records name by their ids alone. */
function vehiclesOf(fleet: Motorpool, ids: readonly string[]) {
  const sorted = [...new Set(ids)].sort();
  return queryOptions({
    queryKey: queryKey('vehicle', 'named', sorted),
    queryFn: ({ signal }) => findVehicles(fleet, sorted, signal),
    enabled: sorted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
}

/** Vehicles by their ids; undefined until they are known. */
export function useVehicles(ids: readonly (string | undefined)[]): {
  vehicleById(vehicleId: string): Vehicle | undefined;
  /** The id of one that is not found. */
  plateById(vehicleId: string): string | undefined;
} {
  const fleet = useFleet();
  const { data, isPending, isPlaceholderData } = useQuery(
    vehiclesOf(
      fleet,
      ids.filter((id) => id !== undefined),
    ),
  );
  const isLoading = isPending || isPlaceholderData;
  return {
    vehicleById: (vehicleId) => data?.get(vehicleId),
    plateById: (vehicleId) => plateIn(data, vehicleId, isLoading),
  };
}

export const usePlates = (ids: readonly (string | undefined)[]) => useVehicles(ids).plateById;
