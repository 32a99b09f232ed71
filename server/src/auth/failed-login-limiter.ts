import { createHash } from 'node:crypto';

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
  const windows = new Map<string, { since: number; failures: number }>();

  function current(key: string) {
    const window = windows.get(key);
    return window && now() - window.since < windowMs ? window : undefined;
  }

  return {
    waitSeconds(target) {
      const window = current(keyOf(target));
      if (!window || window.failures < maxFailures) return 0;
      return Math.ceil((window.since + windowMs - now()) / 1_000);
    },
    failed(target) {
      const key = keyOf(target);
      const window = current(key);
      if (window) {
        window.failures += 1;
        return;
      }
      windows.delete(key);
      windows.set(key, { since: now(), failures: 1 });
      // Oldest first: a flood of targets must not fill the memory.
      for (const oldest of windows.keys()) {
        if (windows.size <= maxTargets) break;
        windows.delete(oldest);
      }
    },
    succeeded(target) {
      const window = current(keyOf(target));
      if (window) window.failures -= 1;
    },
  };
}

/** Of one length, because a client may send a name of any. */
function keyOf(target: Target): string {
  return createHash('sha256').update(JSON.stringify(target)).digest('base64');
}
