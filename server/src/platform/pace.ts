import { setTimeout } from 'node:timers/promises';

export type Pace = {
  /** Begins a piece of work; returns what is awaited after each slice of it. */
  begin(): () => Promise<void>;
};

/** One that seems to take longer is one in which the process was paused, with its container or by a debugger. */
const longestSliceMs = 1_000;

/** For long work of one kind on the event loop: all slices together take half of the time at most, and others have the rest. */
export function createPace(
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<unknown> = setTimeout,
): Pace {
  let nextAt = 0;
  return {
    begin() {
      let startedAt = now();
      return async () => {
        const endedAt = now();
        // Work that others have begun meanwhile has its own time and pause.
        const sliceMs = Math.min(endedAt - startedAt, longestSliceMs);
        nextAt = Math.max(nextAt, endedAt - sliceMs) + 2 * sliceMs;
        await sleep(nextAt - endedAt);
        startedAt = now();
      };
    },
  };
}
