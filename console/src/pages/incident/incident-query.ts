import type { Motorpool } from '@motorpool/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';

export function incidentQuery(fleet: Motorpool, vehicleId: string, incidentId: string) {
  return queryOptions({
    queryKey: queryKey('incident', 'one', vehicleId, incidentId),
    queryFn: ({ signal }) => fleet.incidents.get(vehicleId, incidentId, { signal }),
  });
}
