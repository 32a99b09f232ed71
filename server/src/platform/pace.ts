import { setTimeout } from 'node:timers/promises';

export type Pace = {
  /** Begins a piece of work; returns what is awaited after each slice of it. */
  begin(): () => Promise<void>;
};

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
        nextAt = Math.max(nextAt, startedAt) + 2 * (endedAt - startedAt);
        await sleep(nextAt - endedAt);
        startedAt = now();
      };
    },
  };
}
