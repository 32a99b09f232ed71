import type { Clock } from './clock.ts';

/** A clock that runs, so much ahead of the system's, or behind it. */
export function offsetClock(offsetMs: number): Clock {
  return { now: () => new Date(Date.now() + offsetMs) };
}
