/** Counts failures by key over a minute, to slow down whoever guesses. */
export type GuessLimit = {
  /** Seconds to wait, when the key has failed too often; else 0. */
  waitSeconds(key: string): number;
  failed(key: string): void;
};

const windowMs = 60_000;
const maxFailures = 20;
const maxKeys = 50_000;

export function createGuessLimit(now: () => number = Date.now): GuessLimit {
  const windows = new Map<string, { since: number; failures: number }>();

  function current(key: string) {
    const window = windows.get(key);
    return window && now() - window.since < windowMs ? window : undefined;
  }

  return {
    waitSeconds(key) {
      const window = current(key);
      if (!window || window.failures < maxFailures) return 0;
      return Math.ceil((window.since + windowMs - now()) / 1_000);
    },
    failed(key) {
      const window = current(key);
      if (window) {
        window.failures += 1;
        return;
      }
      windows.delete(key);
      windows.set(key, { since: now(), failures: 1 });
      // Oldest first: a flood of keys must not fill the memory.
      for (const oldest of windows.keys()) {
        if (windows.size <= maxKeys) break;
        windows.delete(oldest);
      }
    },
  };
}
