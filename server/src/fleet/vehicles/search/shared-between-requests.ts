import { fromCache } from './from-cache.ts';
import {
  type CountedVehicles,
  firstResult,
  isOfStatus,
  type Strategy,
  type VehicleSearch,
} from './vehicle-search.ts';

/** Where vehicles are written all the time, the result of another request may always be outdated already. */
const maxWaits = 2;

/**
 * Runs the strategies once for all requests that want the same at a time, and caches the result: after a write,
 * all of them would count at once (docs/decisions/0019-fast-search.md).
 */
export function sharedBetweenRequests(strategies: readonly Strategy<CountedVehicles>[]): Strategy {
  return async (search) => {
    if (!isCacheable(search)) return firstResult(strategies, search);
    const { provider, cache, cacheKey } = search;
    for (let waits = 0; waits < maxWaits; waits++) {
      const running = cache.running(cacheKey);
      if (!running) break;
      await running;
      const shared = await fromCache(search);
      if (shared) return shared;
    }
    const result = firstResult(strategies, search);
    cache.register(provider, cacheKey, result);
    return result;
  };
}

/** The version of a fleet does not change with the statuses of its vehicles. */
function isCacheable({ request }: VehicleSearch): boolean {
  return !request.filters.some(({ field }) => field && isOfStatus(field));
}
