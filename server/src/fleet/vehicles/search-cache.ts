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
  // Last in the order of the map is most recently used.
  const entries = new Map<string, CachedSearch>();
  let size = 0;
  const findings = new Map<string, Promise<void>>();

  function forget(key: string): CachedSearch | undefined {
    const entry = entries.get(key);
    if (entry && entries.delete(key)) size -= sizeOf(entry);
    return entry;
  }

  return {
    get(key: string): CachedSearch | undefined {
      const entry = forget(key);
      if (entry) this.set(key, entry);
      return entry;
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
      forget(key);
      if (key.length > maxKeyLength) return;
      entries.set(key, entry);
      size += sizeOf(entry);
      for (const oldest of entries.keys()) {
        if (size <= maxIdsInAll) break;
        forget(oldest);
      }
    },
  };
}

/** In ids; an entry without any takes the room of a few. */
function sizeOf({ ids }: CachedSearch): number {
  return ids.length + 5;
}
