import { setImmediate, setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { atMost } from './cache-bound.ts';
import { createTurns } from './turns.ts';

export type Pace = {
  /**
   * Begins a piece of work, or goes on with one of which so many milliseconds were done elsewhere; returns what is awaited
   * after each slice of it.
   */
  begin(tenant: string, doneMs?: number): () => Promise<void>;
};

/** One that seems to take longer is one in which the process was paused, with its container or by a debugger. */
const longestSliceMs = 1_000;
/** Of a slice, before the other tenants have their turn. */
const partMs = 2;
/** Of the work of a tenant, before it is long: others are served between its slices all the same. */
const shortMs = 10;
/** What a tenant has done counts less and less, by so much of the time: of many short works, all but this are long. */
const shortShare = 0.1;

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

  const recent = new LRUCache<string, { ms: number; at: number }>(atMost(1_000));

  /** Whether a tenant has done little of late, together with a slice that has just ended. */
  const isShort = (tenant: string, sliceMs: number): boolean => {
    const at = now();
    const { ms, at: since } = recent.get(tenant) ?? { ms: 0, at };
    const doneMs = Math.max(0, ms - (at - since) * shortShare) + sliceMs;
    recent.set(tenant, { ms: Math.min(doneMs, shortMs), at });
    return doneMs <= shortMs;
  };

  const pause = (ms: number, startedAt: number): Promise<unknown> => {
    // Work that others have begun meanwhile has its own time and pause.
    nextAt = Math.max(nextAt, startedAt) + 2 * ms;
    return sleep(Math.max(0, nextAt - now()));
  };

  return {
    begin(tenant, doneMs = 0) {
      let startedAt = now() - doneMs;
      const rest = async () => {
        const endedAt = now();
        const sliceMs = Math.min(endedAt - startedAt, longestSliceMs);
        if (isShort(tenant, sliceMs)) return setImmediate();
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
