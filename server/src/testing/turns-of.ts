import { setImmediate } from 'node:timers/promises';

/** How many turns of the event loop other requests have while it runs. */
export async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await setImmediate();
  return turns;
}
