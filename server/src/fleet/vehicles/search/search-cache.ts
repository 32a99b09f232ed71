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
/** So much of a key takes as much memory as an id. */
const charactersOfId = 20;

/**
 * The results of the latest searches, within a few megabytes, and the searches that run. When it is full, the provider with
 * the most ids in it gives way, so that none drives out the others.
 */
export function createSearchCache(maxIds = maxIdsInAll) {
  const entries = new Map<string, LRUCache<string, CachedSearch>>();
  const running = new Map<string, Promise<void>>();
  let size = 0;

  const entriesOf = (provider: string) => {
    const known = entries.get(provider);
    if (known) return known;
    const created = new LRUCache<string, CachedSearch>({
      maxSize: maxIds,
      // In ids; an entry without any counts as a few.
      sizeCalculation: ({ ids }, key) => ids.length + 5 + Math.floor(key.length / charactersOfId),
    });
    entries.set(provider, created);
    return created;
  };
  const evict = () => {
    let largest = { provider: '', size: 0 };
    for (const [provider, { calculatedSize }] of entries) {
      if (calculatedSize > largest.size) largest = { provider, size: calculatedSize };
    }
    const ofProvider = entriesOf(largest.provider);
    ofProvider.pop();
    size += ofProvider.calculatedSize - largest.size;
    if (ofProvider.size === 0) entries.delete(largest.provider);
  };
  const set = (provider: string, key: string, { version, total, ids }: CachedSearch) => {
    if (key.length > maxKeyLength) return;
    const ofProvider = entriesOf(provider);
    const before = ofProvider.calculatedSize;
    ofProvider.set(key, { version, total, ids });
    size += ofProvider.calculatedSize - before;
    while (size > maxIds) evict();
  };
  return {
    get(provider: string, key: string): CachedSearch | undefined {
      return entries.get(provider)?.get(key);
    },
    has(provider: string, key: string): boolean {
      return entries.get(provider)?.has(key) ?? false;
    },
    /** Settles when the search of this key that runs has ended, or failed; undefined when none runs. */
    running(key: string): Promise<void> | undefined {
      return running.get(key);
    },
    /** Registers a running search; its result is cached when it ends. */
    register(provider: string, key: string, search: Promise<CachedSearch | undefined>): void {
      const ended = search
        .then((result) => result && set(provider, key, result))
        .catch(() => {})
        .then(() => {
          if (running.get(key) === ended) running.delete(key);
        });
      running.set(key, ended);
    },
  };
}
