import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../fleet/queries.ts';
import { useFleet } from '../session/connection.tsx';

/** That of the fleet, in which most is paid. */
export function useCurrency(): string {
  const fleet = useFleet();
  const { data } = useQuery({
    queryKey: queryKey('profile', 'one'),
    queryFn: ({ signal }) => fleet.profile.get({ signal }),
    staleTime: 3_600_000,
  });
  return data?.currency ?? 'EUR';
}
