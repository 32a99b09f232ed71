import { ConnectionError, ProblemError } from '@motorpool/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import type { QueryName } from './live-events.ts';

/** Records that have no events. */
type SilentName = 'client' | 'user-account' | 'webhook' | 'audit-event' | 'failed-job';

/**
 * The key of a query begins with the type of the records that it shows, so that their events renew it:
 * `queryKey('vehicle', 'page', search)`.
 */
export function queryKey(
  name: QueryName | SilentName,
  ...parts: readonly unknown[]
): readonly unknown[] {
  return [name, ...parts];
}

export function createQueries(onUnauthorized: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ProblemError && error.status === 401) onUnauthorized();
      },
    }),
    defaultOptions: {
      // Without a connection a change fails at once, and is told and undone. Paused, it would look saved, and be lost with the tab.
      mutations: { networkMode: 'always' },
      queries: {
        staleTime: 15_000,
        gcTime: 600_000,
        // The SDK has repeated what may be repeated.
        retry: false,
        // The SDK knows the version of a record by the object that it has answered.
        structuralSharing: false,
        throwOnError: (error) =>
          !(error instanceof ProblemError) && !(error instanceof ConnectionError),
      },
    },
  });
}
