import { setTimeout } from 'node:timers/promises';
import { createTurns } from './turns.ts';

export type Pace = {
  /**
   * Begins a piece of work, or goes on with one of which so many milliseconds were done elsewhere; returns what is awaited
   * after each slice of it. Tenants take turns, and the works of one go on in the order in which their slices ended.
   */
  begin(tenant: string, doneMs?: number): () => Promise<void>;
};

/** One that seems to take longer is one in which the process was paused, with its container or by a debugger. */
const longestSliceMs = 1_000;

/** For long work on the event loop: all slices together take half of the time at most, and others have the rest. */
export function createPace(
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<unknown> = setTimeout,
): Pace {
  const [ofTenant, ofProcess] = [createTurns(), createTurns()];
  let nextAt = 0;
  const untilNext = () => sleep(nextAt - now());
  return {
    begin(tenant, doneMs = 0) {
      let startedAt = now() - doneMs;
      return async () => {
        const endedAt = now();
        const sliceMs = Math.min(endedAt - startedAt, longestSliceMs);
        // Work that others have begun meanwhile has its own time and pause.
        nextAt = Math.max(nextAt, endedAt - sliceMs) + 2 * sliceMs;
        await ofTenant(tenant, () => ofProcess('', untilNext));
        startedAt = now();
      };
    },
  };
}

/** The pace of all that takes long in this process. */
export const longWork = createPace();
