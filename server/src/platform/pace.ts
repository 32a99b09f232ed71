import { setImmediate, setTimeout } from 'node:timers/promises';
import { createTurns } from './turns.ts';

export type Pace = {
  /**
   * Begins a piece of work, or goes on with one of which so many milliseconds were done elsewhere, and which is therefore
   * long; returns what is awaited after each slice of it.
   */
  begin(tenant: string, doneMs?: number): () => Promise<void>;
};

/** One that seems to take longer is one in which the process was paused, with its container or by a debugger. */
const longestSliceMs = 1_000;
/** Of a slice, before the other tenants have their turn. */
const partMs = 2;
/** Of a piece of work, before it is long: others are served between its slices all the same. */
const shortMs = 10;

/**
 * For long work on the event loop: all slices together take half of the time at most, and others have the rest. Tenants have
 * equal parts of that half, and the works of one go on in the order in which their slices ended.
 */
export function createPace(
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<unknown> = setTimeout,
): Pace {
  const [ofTenant, ofProcess] = [createTurns(), createTurns()];
  let nextAt = 0;

  const pause = (ms: number, startedAt: number): Promise<unknown> => {
    // Work that others have begun meanwhile has its own time and pause.
    nextAt = Math.max(nextAt, startedAt) + 2 * ms;
    return sleep(Math.max(0, nextAt - now()));
  };

  return {
    begin(tenant, doneMs = 0) {
      let startedAt = now() - doneMs;
      let freeMs = doneMs > 0 ? 0 : shortMs;
      const rest = async () => {
        const endedAt = now();
        const sliceMs = Math.min(endedAt - startedAt, longestSliceMs);
        freeMs -= sliceMs;
        if (freeMs > 0) return setImmediate();
        await ofTenant(tenant, async () => {
          let leftMs = sliceMs;
          do {
            const part = Math.min(partMs, leftMs);
            await ofProcess('', () => pause(part, endedAt - sliceMs));
            leftMs -= part;
          } while (leftMs > 0);
        });
      };
      return async () => {
        await rest();
        startedAt = now();
      };
    },
  };
}

/** The pace of all that takes long in this process. */
export const longWork = createPace();
