import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Whoever calls while it runs gets the result of that run. With `restMs`, the time from one run to the next is nine times
 * that of the run, and at most that, so that callers without end take a part of the processor alone.
 */
export function shareRunning<Result>(
  run: () => Promise<Result>,
  { restMs = 0 } = {},
): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let rested: Promise<void> | undefined;
  const runAfterRest = async () => {
    await rested;
    const startedAt = performance.now();
    try {
      return await run();
    } finally {
      running = undefined;
      if (restMs > 0)
        rested = sleep(Math.min(restMs, 9 * (performance.now() - startedAt)), undefined, {
          ref: false,
        });
    }
  };
  return () => {
    running ??= runAfterRest();
    return running;
  };
}
