import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';

/** Such as a realm, the name of a client, and the network of the sender. */
type Target = readonly string[];

/** Limits attempts per minute. */
export type AttemptLimiter = {
  /** Seconds until the next attempt is allowed; 0 below the limit. */
  waitSeconds(target: Target): number;
  count(target: Target): void;
  /** Reverts the count of an attempt that turned out not to matter. */
  uncount(target: Target): void;
};

const windowMs = 60_000;
const maxTargets = 50_000;

export function createAttemptLimiter(
  maxAttempts: number,
  now: () => number = () => Date.now(),
): AttemptLimiter {
  const attempts = new LRUCache<string, number>({
    // Bounds the memory under a flood of targets.
    ...atMost(maxTargets),
    // The library expires an entry only when its age exceeds the TTL.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: { now },
    // The window starts with the first attempt.
    noUpdateTTL: true,
  });

  return {
    waitSeconds(target) {
      const key = keyOf(target);
      if ((attempts.get(key) ?? 0) < maxAttempts) return 0;
      return Math.ceil((attempts.getRemainingTTL(key) + 1) / 1_000);
    },
    count(target) {
      const key = keyOf(target);
      attempts.set(key, (attempts.get(key) ?? 0) + 1);
    },
    uncount(target) {
      const key = keyOf(target);
      const counted = attempts.get(key);
      if (counted !== undefined) attempts.set(key, counted - 1);
    },
  };
}

/** Hashed, as names may be of any length. */
function keyOf(target: Target): string {
  return createHash('sha256').update(JSON.stringify(target)).digest('base64');
}
