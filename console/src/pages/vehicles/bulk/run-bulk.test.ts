import { expect, onTestFinished, test, vi } from 'vitest';
import { notDone, runBulk } from './run-bulk.ts';

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
  expect(progress).toEqual({ done: 20, failures: [], left: [], isWaiting: false });
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
  expect(await running).toEqual({ done: 2, failures: [], left: [], isWaiting: false });
  expect(attempts).toBe(3);
  expect(waits).toContain(true);
});

test('after a stop nothing is begun, what has begun is finished, and the rest is left', async () => {
  const stopping = new AbortController();
  const begun: number[] = [];
  const error = refusal(409);
  const progress = await runBulk(
    items,
    async (item) => {
      begun.push(item);
      if (item === 3) stopping.abort();
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (item === 2) throw error;
    },
    { signal: stopping.signal, onProgress: () => {} },
  );
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(progress).toMatchObject({ done: 3, failures: [{ item: 2, error }] });
  expect(progress.left).toEqual(items.slice(4));
  expect(notDone(progress)).toEqual([2, ...items.slice(4)]);
});

test('what the service has refused for a while before a stop is left', async () => {
  const stopping = new AbortController();
  const progress = await runBulk(
    [1],
    async () => {
      stopping.abort();
      throw refusal(429);
    },
    { signal: stopping.signal, onProgress: () => {} },
  );
  expect(progress).toEqual({ done: 0, failures: [], left: [1], isWaiting: false });
});
