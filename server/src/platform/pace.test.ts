import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

type Work = { sliceMs: number; tenant?: string };

/** Works on some things beside each other, for a while in simulated time; returns how long the slices of each took together. */
async function workFor(totalMs: number, works: readonly Work[]): Promise<number[]> {
  let now = 1_000;
  const end = now + totalMs;
  const sleeping: { until: number; wake: () => void }[] = [];
  const pace = createPace(
    () => now,
    (ms) => new Promise<void>((wake) => sleeping.push({ until: now + ms, wake })),
  );
  const worked = works.map(() => 0);
  for (const [index, { sliceMs, tenant = 'DE-ABC' }] of works.entries()) {
    const work = async () => {
      const endSlice = pace.begin(tenant);
      for (;;) {
        now += sliceMs;
        worked[index] = (worked[index] ?? 0) + sliceMs;
        await endSlice();
      }
    };
    void work();
  }
  while (now < end) {
    await new Promise(setImmediate);
    sleeping.sort((a, b) => a.until - b.until);
    const next = sleeping.shift();
    if (!next) throw new Error('nothing sleeps');
    now = Math.max(now, next.until);
    next.wake();
  }
  return worked;
}

const together = (worked: number[]) => worked.reduce((sum, ms) => sum + ms);

test('slices take half of the time, however long they are', async () => {
  for (const sliceMs of [1, 7, 200])
    expect(together(await workFor(10_000, [{ sliceMs }]))).toBeLessThan(5_300);
  expect(together(await workFor(10_000, [{ sliceMs: 7 }]))).toBeGreaterThan(4_700);
});

test.each([['DE-ABC'], ['FR-XYZ']])(
  'of several works beside each other, the slices take half of the time together: with %s',
  async (tenant) => {
    for (const slices of [
      [5, 5, 5],
      [1, 50],
    ]) {
      const works = slices.map((sliceMs, index) => (index ? { sliceMs } : { sliceMs, tenant }));
      expect(together(await workFor(10_000, works))).toBeLessThan(5_300);
    }
  },
);

test('tenants have equal parts, however many works one has', async () => {
  const many = Array.from({ length: 20 }, () => ({ sliceMs: 5 }));
  const worked = await workFor(10_000, [...many, { sliceMs: 5, tenant: 'FR-XYZ' }]);
  expect(together(worked)).toBeGreaterThan(4_700);
  expect(worked.at(-1)).toBeGreaterThan(2_200);
  expect(Math.max(...worked.slice(0, 20)) - Math.min(...worked.slice(0, 20))).toBeLessThan(50);
});

test('what was done elsewhere is paused for as well', async () => {
  const pauses: number[] = [];
  const pace = createPace(
    () => 5_000,
    async (ms) => void pauses.push(ms),
  );
  await pace.begin('', 40)();
  expect(pauses).toEqual([40]);
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
    const endSlice = pace.begin('');
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
    const endSlice = pace.begin('');
    now += sliceMs;
    await endSlice();
    now += pauses.at(-1) ?? 0;
  }
  expect(pauses).toEqual([1_000, 10]);
});
