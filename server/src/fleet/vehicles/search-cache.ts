import { LRUCache } from 'lru-cache';

/**
 * What was found among the vehicles of a provider, and the version of the fleet in which that is so.
 * Nobody may answer from it without having read that very version together with the answer.
 */
export type CachedSearch = {
  version: string | null;
  total: number;
  /** The first of them in the order asked for; none when the order depends on more than the fleet. */
  ids: readonly string[];
};

export const maxCachedIds = 1_000;
const maxIdsInAll = 100_000;
const maxKeyLength = 2_000;

/** Remembers what was asked for last, within a few megabytes. */
export function createSearchCache() {
  const entries = new LRUCache<string, CachedSearch>({
    maxSize: maxIdsInAll,
    // In ids; an entry without any takes the room of a few.
    sizeCalculation: ({ ids }) => ids.length + 5,
  });
  const findings = new Map<string, Promise<void>>();

  return {
    get(key: string): CachedSearch | undefined {
      return entries.get(key);
    },
    /** Ends when somebody has found it, or could not; nothing when nobody is about to. */
    finding(key: string): Promise<void> | undefined {
      return findings.get(key);
    },
    /** Remembers what is being found, once it is. */
    setWhenFound(key: string, finding: Promise<CachedSearch>): void {
      const ended = finding
        .then((entry) => this.set(key, entry))
        .catch(() => {})
        .then(() => {
          if (findings.get(key) === ended) findings.delete(key);
        });
      findings.set(key, ended);
    },
    set(key: string, entry: CachedSearch): void {
      if (key.length <= maxKeyLength) entries.set(key, entry);
    },
  };
}
