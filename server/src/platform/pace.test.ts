import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** Works on some things beside each other, for a while in simulated time; returns how long the slices took together. */
async function workFor(totalMs: number, slicesMs: readonly number[]): Promise<number> {
  let now = 1_000;
  const end = now + totalMs;
  const sleeping: { until: number; wake: () => void }[] = [];
  const pace = createPace(
    () => now,
    (ms) => new Promise<void>((wake) => sleeping.push({ until: now + ms, wake })),
  );
  let worked = 0;
  for (const sliceMs of slicesMs) {
    const work = async () => {
      const endSlice = pace.begin();
      for (;;) {
        now += sliceMs;
        worked += sliceMs;
        await endSlice();
      }
    };
    void work();
  }
  while (now < end) {
    sleeping.sort((a, b) => a.until - b.until);
    const next = sleeping.shift();
    if (!next) throw new Error('nothing sleeps');
    now = Math.max(now, next.until);
    next.wake();
    await new Promise(setImmediate);
  }
  return worked;
}

test('slices take half of the time, however long they are', async () => {
  for (const slice of [1, 7, 200]) expect(await workFor(10_000, [slice])).toBeLessThan(5_300);
  expect(await workFor(10_000, [7])).toBeGreaterThan(4_700);
});

test('of several works beside each other, the slices take half of the time together', async () => {
  expect(await workFor(10_000, [5, 5, 5])).toBeLessThan(5_300);
  expect(await workFor(10_000, [1, 50])).toBeLessThan(5_300);
});

test('time in which nothing is done is not saved up', async () => {
  let now = 0;
  const pauses: number[] = [];
  const pace = createPace(
    () => now,
    async (ms) => void pauses.push(ms),
  );
  for (const startsAt of [1_000, 50_000]) {
    now = startsAt;
    const endSlice = pace.begin();
    now += 10;
    await endSlice();
  }
  expect(pauses).toEqual([10, 10]);
});

test('a process that was paused within a slice does not wait as long again', async () => {
  let now = 0;
  const pauses: number[] = [];
  const pace = createPace(
    () => now,
    async (ms) => void pauses.push(ms),
  );
  for (const sliceMs of [3_600_000, 10]) {
    const endSlice = pace.begin();
    now += sliceMs;
    await endSlice();
    now += pauses.at(-1) ?? 0;
  }
  expect(pauses).toEqual([1_000, 10]);
});
