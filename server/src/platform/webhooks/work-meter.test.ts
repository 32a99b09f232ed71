import { expect, test } from 'vitest';
import { WorkMeter } from './work-meter.ts';

/** 100 ms of each second, by a clock that work and pauses move. */
function createMeter(atOnce?: number) {
  const clock = { now: 0 };
  const done: string[] = [];
  const meter = new WorkMeter({
    millisecondsPerSecond: 100,
    ...(atOnce !== undefined && { atOnce }),
    now: () => clock.now,
    pause: async (milliseconds) => {
      const until = clock.now + milliseconds;
      await new Promise(setImmediate);
      clock.now = Math.max(clock.now, until);
    },
  });
  const run = (tenant: string, milliseconds: number) =>
    meter.run(tenant, (charge) => {
      clock.now += milliseconds;
      charge(milliseconds);
      done.push(`${tenant} ${Math.round(clock.now)}`);
    });
  return { clock, done, meter, run };
}

test('who has taken too long waits until that is made up for, also with work that waited already', async () => {
  const { done, run } = createMeter();
  await Promise.all([run('A', 300), run('A', 300), run('A', 1)]);
  expect(done).toEqual(['A 300', 'A 2300', 'A 5001']);
});

test('others do not wait', async () => {
  const { done, run } = createMeter();
  await Promise.all([run('A', 300), run('A', 1), run('B', 50)]);
  expect(done).toEqual(['A 300', 'B 350', 'A 2001']);
});

test('a rest does not add up', async () => {
  const { clock, done, run } = createMeter();
  await run('A', 1);
  clock.now = 60_000;
  await Promise.all([run('A', 200), run('A', 1)]);
  expect(done).toEqual(['A 1', 'A 60200', 'A 61001']);
});

test('as much is begun at once as is allowed', async () => {
  const { meter } = createMeter(2);
  const ends: (() => void)[] = [];
  const begin = () => meter.run('A', () => new Promise<void>((end) => ends.push(end)));
  const runs = [begin(), begin(), begin()];
  await expect.poll(() => ends).toHaveLength(2);
  ends[0]?.();
  await runs[0];
  await expect.poll(() => ends).toHaveLength(3);
  for (const end of ends) end();
  await Promise.all(runs);
});

test('work that fails tells it, counts, and does not keep the next from being done', async () => {
  const { clock, done, meter, run } = createMeter();
  const failed = meter.run('A', (charge) => {
    clock.now += 200;
    charge(200);
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  await run('A', 1);
  expect(done).toEqual(['A 1001']);
});
