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
    // Works that are short yet do not sleep.
    if (!next) continue;
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

test('short slices of one tenant do not wait for the long ones of others', async () => {
  const long = ['IT-ABC', 'IT-XYZ'].map((tenant) => ({ sliceMs: 128, tenant }));
  const worked = await workFor(20_000, [...long, { sliceMs: 2 }]);
  expect(together(worked)).toBeLessThan(10_600);
  expect(worked.at(-1)).toBeGreaterThan(2_500);
});

/** A pace in simulated time, and a slice of some length; returns how long the pause after it took. */
function simulate(startsAt: number) {
  let now = startsAt;
  const pace = createPace(
    () => now,
    async (ms) => {
      now += ms;
    },
  );
  return {
    pass: (ms: number) => {
      now += ms;
    },
    async pauseAfter(sliceMs: number, { doneMs = 0, tenant = 'DE-ABC' } = {}) {
      const endSlice = pace.begin(tenant, doneMs);
      now += sliceMs;
      const endedAt = now;
      await endSlice();
      return now - endedAt;
    },
  };
}

test('what was done elsewhere is paused for as well', async () => {
  expect(await simulate(5_000).pauseAfter(0, { doneMs: 41 })).toBe(41);
});

test('what is short has no pause', async () => {
  const { pass, pauseAfter } = simulate(5_000);
  for (let work = 0; work < 10; work += 1) {
    expect(await pauseAfter(9)).toBe(0);
    pass(100);
  }
  expect(await pauseAfter(11)).toBe(11);
});

test('of many short works of a tenant, one after the other, only the first has no pause', async () => {
  const { pauseAfter } = simulate(5_000);
  expect(await pauseAfter(9)).toBe(0);
  for (let work = 0; work < 10; work += 1) expect(await pauseAfter(9)).toBe(9);
});

test('short works of others have no pause for it', async () => {
  const { pauseAfter } = simulate(5_000);
  for (let work = 0; work < 3; work += 1) await pauseAfter(9);
  expect(await pauseAfter(9, { tenant: 'FR-XYZ' })).toBe(0);
});

test('time in which nothing is done is not saved up', async () => {
  const { pass, pauseAfter } = simulate(0);
  expect(await pauseAfter(20)).toBe(20);
  pass(50_000);
  expect(await pauseAfter(20)).toBe(20);
});

test('a process that was paused within a slice does not wait as long again', async () => {
  const { pauseAfter } = simulate(0);
  expect(await pauseAfter(3_600_000)).toBe(1_000);
  expect(await pauseAfter(20)).toBe(20);
});
