import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';
import { vehiclesRequest } from '../vehicles/vehicles-request.ts';
import type { MapSearch } from './route.ts';

const pageSize = 1_000;

/** All vehicles that match; their statuses are renewed as those of a page are, by the stream of events. */
export function useMapVehicles({ q, filter }: Pick<MapSearch, 'q' | 'filter'>) {
  const fleet = useFleet();
  const request = {
    ...vehiclesRequest({ ...(q && { q }), ...(filter && { filter }), sort: 'asset.id' }),
    pagination: { pageSize },
  };
  return useQuery({
    queryKey: queryKey('vehicle', 'page', 'map', request),
    queryFn: async ({ signal }) => ({
      items: await fleet.vehicles.find(request, { signal }).toArray(),
    }),
    placeholderData: keepPreviousData,
  });
}
