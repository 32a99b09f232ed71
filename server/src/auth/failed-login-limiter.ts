import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What is guessed at and from where: a realm, a name, an address. */
type Target = readonly string[];

/** Counts failures over a minute, to slow down whoever guesses. */
export type FailedLoginLimiter = {
  /** Seconds to wait, when the target has been missed too often; else 0. */
  waitSeconds(target: Target): number;
  failed(target: Target): void;
  /** Takes one failure back, for an attempt that was counted before its outcome was known. */
  succeeded(target: Target): void;
};

const windowMs = 60_000;
const maxFailures = 20;
const maxTargets = 50_000;

export function createFailedLoginLimiter(now: () => number = Date.now): FailedLoginLimiter {
  const failures = new LRUCache<string, number>({
    // A flood of targets must not fill the memory.
    max: maxTargets,
    // The library keeps an entry until its age is more than this.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: { now },
    // The window begins with the first failure.
    noUpdateTTL: true,
  });

  return {
    waitSeconds(target) {
      const key = keyOf(target);
      if ((failures.get(key) ?? 0) < maxFailures) return 0;
      return Math.ceil((failures.getRemainingTTL(key) + 1) / 1_000);
    },
    failed(target) {
      const key = keyOf(target);
      failures.set(key, (failures.get(key) ?? 0) + 1);
    },
    succeeded(target) {
      const key = keyOf(target);
      const count = failures.get(key);
      if (count !== undefined) failures.set(key, count - 1);
    },
  };
}

/** Of one length, because a client may send a name of any. */
function keyOf(target: Target): string {
  return createHash('sha256').update(JSON.stringify(target)).digest('base64');
}
