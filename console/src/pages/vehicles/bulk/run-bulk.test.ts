import { expect, onTestFinished, test, vi } from 'vitest';
import { runBulk } from './run-bulk.ts';

const items = Array.from({ length: 20 }, (_, index) => index);
const refusal = (status: number, headers = {}) =>
  Object.assign(new Error('Refused'), { status, headers: new Headers(headers) });
const options = () => ({ signal: new AbortController().signal, onProgress: () => {} });

test('a few are worked on at a time, and all of them once', async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  const progress = await runBulk(
    items,
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      seen.push(item);
    },
    options(),
  );
  expect(progress).toEqual({ done: 20, failures: [], isWaiting: false });
  expect(most).toBe(4);
  expect(seen.sort((a, b) => a - b)).toEqual(items);
});

test('what fails is told with its reason, and the others go on', async () => {
  const error = refusal(409);
  const progress = await runBulk(
    items,
    async (item) => {
      if (item % 10 === 3) throw error;
    },
    options(),
  );
  expect(progress.done).toBe(18);
  expect(progress.failures).toEqual([
    { item: 3, error },
    { item: 13, error },
  ]);
});

test('all wait as long as the service asks, and then it is tried again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let attempts = 0;
  const waits: boolean[] = [];
  const running = runBulk(
    [1, 2],
    async () => {
      attempts += 1;
      if (attempts === 1) throw refusal(429, { 'retry-after': '1' });
    },
    {
      signal: new AbortController().signal,
      onProgress: ({ isWaiting }) => waits.push(isWaiting),
    },
  );
  await vi.advanceTimersByTimeAsync(999);
  expect(attempts).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toEqual({ done: 2, failures: [], isWaiting: false });
  expect(attempts).toBe(3);
  expect(waits).toContain(true);
});

test('nothing is begun after a stop', async () => {
  const stopping = new AbortController();
  const begun: number[] = [];
  await runBulk(
    items,
    async (item) => {
      begun.push(item);
      stopping.abort();
    },
    { signal: stopping.signal, onProgress: () => {} },
  );
  expect(begun.length).toBeLessThan(items.length);
});
