import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareRunning } from './share-running.ts';

test('all who call while it runs get the result of that run, and the next ones another', async () => {
  let runs = 0;
  const run = shareRunning(async () => {
    runs += 1;
    await sleep(1);
    return runs;
  });
  expect(await Promise.all([run(), run()])).toEqual([1, 1]);
  expect(await run()).toBe(2);
});

test('with a rest, the next run is later, and one for all who call until then', async () => {
  let runs = 0;
  const run = shareRunning(
    async () => {
      runs += 1;
      await sleep(30);
      return runs;
    },
    { restMs: 1_000 },
  );
  await run();
  const next = [run(), run()];
  await setImmediate();
  expect(runs).toBe(1);
  expect(await Promise.all(next)).toEqual([2, 2]);
});

test('a run that fails is followed by another', async () => {
  let runs = 0;
  const run = shareRunning(
    async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
      return runs;
    },
    { restMs: 10 },
  );
  await expect(run()).rejects.toThrow('broken');
  expect(await run()).toBe(2);
});
