import { expect, test } from 'vitest';
import { SendRate } from './send-rate.ts';

/** Three a second, by a clock that the test sets; tells the pauses. */
function createRate() {
  const clock = { now: 0 };
  const pauses: number[] = [];
  const rate = new SendRate({
    perSecond: 3,
    now: () => clock.now,
    pause: async (milliseconds) => void pauses.push(Math.round(milliseconds)),
  });
  const { signal } = new AbortController();
  const take = (tenant = 'A', maxWaitMs = 10_000) => rate.take(tenant, maxWaitMs, signal);
  return { rate, clock, pauses, take };
}

test('what exceeds the rate waits, each message for one of its own, and other tenants do not', async () => {
  const { clock, pauses, take } = createRate();
  for (let message = 0; message < 5; message++) expect(await take()).toBe(true);
  expect(pauses).toEqual([333, 667]);
  expect(await take('B')).toBe(true);
  expect(pauses).toHaveLength(2);
  clock.now = 1_000;
  expect(await take()).toBe(true);
  expect(pauses).toHaveLength(2);
  await take();
  expect(pauses.at(-1)).toBe(333);
});

test('nobody waits for longer than it may, nor takes what it does not wait for', async () => {
  const { pauses, take } = createRate();
  for (let message = 0; message < 3; message++) await take();
  expect(await take('A', 100)).toBe(false);
  expect(await take('A', 400)).toBe(true);
  expect(pauses).toEqual([100, 333]);
});

test('what is charged for delays the next', async () => {
  const { rate, pauses, take } = createRate();
  await take();
  rate.charge('A', 4);
  await take();
  expect(pauses).toEqual([1_000]);
});

test('who does not wait is told when it may send, and what is refused does not count', async () => {
  const { rate, clock, take, pauses } = createRate();
  expect(rate.tryTake('A', 2)).toBe(0);
  expect(rate.tryTake('A', 2)).toBeCloseTo(333, 0);
  expect(rate.tryTake('B', 3)).toBe(0);
  await take();
  expect(pauses).toEqual([]);
  clock.now = 500;
  expect(rate.tryTake('A', 2)).toBeCloseTo(167, 0);
  clock.now = 700;
  expect(rate.tryTake('A', 2)).toBe(0);
});

test('waiting ends when it is aborted', async () => {
  const rate = new SendRate({ perSecond: 0.001 });
  const stopping = new AbortController();
  const taken = rate.take('A', 10_000_000, stopping.signal);
  stopping.abort();
  expect(await taken).toBe(false);
});

test('tenants are kept for as long as they have sent', async () => {
  const { rate, clock, take } = createRate();
  await take('A');
  clock.now = 300;
  await take('B');
  clock.now = 400;
  rate.dropFull();
  expect(rate.size).toBe(1);
  clock.now = 700;
  rate.dropFull();
  expect(rate.size).toBe(0);
});
