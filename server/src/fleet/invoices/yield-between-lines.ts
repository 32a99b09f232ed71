import { setImmediate } from 'node:timers/promises';

export const partsAtOnce = 200;

type Line = { allowances?: readonly unknown[]; charges?: readonly unknown[] };

/** To be awaited after each line: other requests run after so many lines, allowances and charges. */
export function yieldBetweenLines(): (line: Line) => Promise<void> {
  let parts = 0;
  return async ({ allowances = [], charges = [] }) => {
    parts += 1 + allowances.length + charges.length;
    if (parts < partsAtOnce) return;
    parts = 0;
    await setImmediate();
  };
}
