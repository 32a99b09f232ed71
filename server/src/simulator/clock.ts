const HOUR_MS = 3_600_000;

export type Pace = {
  /** How many times faster than the clock on the wall. */
  speed: number;
  /** How long it runs; without an end when left out. */
  hours?: number | undefined;
};

export type Clock = {
  start: number;
  /** When it is over, if ever. */
  end?: number;
  /** The simulated time at a moment of the real one. */
  at(real: number): number;
};

const hoursBack = 24;

/**
 * A time that never lies in the future. A fast one begins as long ago as it runs, or a day, and goes
 * on at the real pace once it has caught up.
 */
export function clockFrom(now: number, { speed, hours }: Pace): Clock {
  const start = speed > 1 ? now - (hours ?? hoursBack) * HOUR_MS : now;
  return {
    start,
    ...(hours !== undefined && { end: start + hours * HOUR_MS }),
    at: (real) => Math.min(real, start + (real - now) * speed),
  };
}
