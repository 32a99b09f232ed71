const HOUR_MS = 3_600_000;

export type Pace = {
  /** The factor to real time. */
  speed: number;
  /** Simulated duration; without an end when left out. */
  hours?: number | undefined;
};

export type Clock = {
  start: number;
  end?: number;
  /** The simulated time at a real time. */
  at(real: number): number;
};

const hoursBack = 24;

/**
 * Never ahead of real time: a fast clock starts in the past, by its duration or a day, and continues in real time once
 * it has caught up.
 */
export function clockFrom(now: number, { speed, hours }: Pace): Clock {
  const start = speed > 1 ? now - (hours ?? hoursBack) * HOUR_MS : now;
  return {
    start,
    ...(hours !== undefined && { end: start + hours * HOUR_MS }),
    at: (real) => Math.min(real, start + (real - now) * speed),
  };
}
