import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';

/** Such as a realm, the name of a client, and the network of the sender. */
type Target = readonly string[];

/** Limits failed attempts per minute. */
export type FailedLoginLimiter = {
  /** Seconds until the next attempt is allowed; 0 below the limit. */
  waitSeconds(target: Target): number;
  failed(target: Target): void;
  /** Reverts one failure, of an attempt that was counted before its outcome was known. */
  succeeded(target: Target): void;
};

const windowMs = 60_000;
const maxTargets = 50_000;

export function createFailedLoginLimiter(
  maxFailures: number,
  now: () => number = Date.now,
): FailedLoginLimiter {
  const failures = new LRUCache<string, number>({
    // Bounds the memory under a flood of targets.
    ...atMost(maxTargets),
    // The library expires an entry only when its age exceeds the TTL.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: { now },
    // The window starts with the first failure.
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

/** Hashed, as names may be of any length. */
function keyOf(target: Target): string {
  return createHash('sha256').update(JSON.stringify(target)).digest('base64');
}
