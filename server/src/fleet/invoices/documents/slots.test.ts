import { expect, test } from 'vitest';
import { createSlots, maxWaiting } from './slots.ts';

test('of one provider so many documents wait and no more, which leaves others alone', async () => {
  const slots = createSlots(3);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const done: number[] = [];
  const run = (provider: string, number: number) =>
    slots.run(provider, async () => {
      await held;
      done.push(number);
    });
  const first = Array.from({ length: 1 + maxWaiting }, (_, index) => run('DE-ABC', index));
  await expect(run('DE-ABC', -1)).rejects.toMatchObject({ status: 429 });
  const other = run('FR-XYZ', 1_000);
  release();
  await Promise.all([...first, other]);
  expect(done.filter((number) => number < 1_000)).toEqual(first.map((_, index) => index));
  await run('DE-ABC', 2_000);
  expect(done).toHaveLength(maxWaiting + 3);
});
