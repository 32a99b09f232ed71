import { expect, test } from 'vitest';
import { WorkMeter } from './work-meter.ts';

/** 100 ms of each second, by a clock that work and pauses move. */
function createMeter() {
  const clock = { now: 0 };
  const done: string[] = [];
  const meter = new WorkMeter({
    millisecondsPerSecond: 100,
    now: () => clock.now,
    pause: async (milliseconds) => {
      const until = clock.now + milliseconds;
      await new Promise(setImmediate);
      clock.now = Math.max(clock.now, until);
    },
  });
  const run = (tenant: string, milliseconds: number) =>
    meter.run(tenant, () => {
      clock.now += milliseconds;
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

test('work that fails tells it, counts, and does not keep the next from being done', async () => {
  const { clock, done, meter, run } = createMeter();
  const failed = meter.run('A', () => {
    clock.now += 200;
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  await run('A', 1);
  expect(done).toEqual(['A 1001']);
});
