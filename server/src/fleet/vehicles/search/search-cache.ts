import { LRUCache } from 'lru-cache';

/**
 * The result of a search in one version of a provider's fleet. It is valid only for a statement that reads the
 * same version (docs/decisions/0019-fast-search.md).
 */
export type CachedSearch = {
  version: string | null;
  total: number;
  /** The first in the order of the search; none where the order depends on more than the fleet. */
  ids: readonly string[];
};

export type SearchCache = ReturnType<typeof createSearchCache>;

export const maxCachedIds = 1_000;
const maxIdsInAll = 100_000;
const maxKeyLength = 2_000;

/** The results of the latest searches, within a few megabytes, and the searches that run. */
export function createSearchCache() {
  const entries = new LRUCache<string, CachedSearch>({
    maxSize: maxIdsInAll,
    // In ids; an entry without any counts as a few.
    sizeCalculation: ({ ids }) => ids.length + 5,
  });
  const running = new Map<string, Promise<void>>();

  const set = (key: string, { version, total, ids }: CachedSearch) => {
    if (key.length <= maxKeyLength) entries.set(key, { version, total, ids });
  };
  return {
    get(key: string): CachedSearch | undefined {
      return entries.get(key);
    },
    has(key: string): boolean {
      return entries.has(key);
    },
    /** Settles when the search of this key that runs has ended, or failed; undefined when none runs. */
    running(key: string): Promise<void> | undefined {
      return running.get(key);
    },
    /** Registers a running search; its result is cached when it ends. */
    register(key: string, search: Promise<CachedSearch | undefined>): void {
      const ended = search
        .then((result) => result && set(key, result))
        .catch(() => {})
        .then(() => {
          if (running.get(key) === ended) running.delete(key);
        });
      running.set(key, ended);
    },
  };
}
