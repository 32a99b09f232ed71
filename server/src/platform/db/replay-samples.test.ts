import { expect, test } from 'vitest';
import { ReplaySamples } from './replay-samples.ts';

test('a standby has what was committed before the newest sample that it has replayed', () => {
  const samples = new ReplaySamples();
  for (const number of [1, 2, 3]) samples.add(number * 100, BigInt(number));
  expect(samples.takeReplayed(0n)).toBeUndefined();
  expect(samples.takeReplayed(2n)).toBe(200);
  expect(samples.takeReplayed(2n)).toBeUndefined();
  expect(samples.takeReplayed(9n)).toBe(300);
  expect(samples.size).toBe(0);
});

test('while a standby replays nothing, few are kept, by which its lag is known when it goes on', () => {
  const samples = new ReplaySamples();
  const last = 20_000;
  for (let number = 1; number <= last; number++) {
    samples.add(number, BigInt(number));
    samples.takeReplayed(0n);
  }
  expect(samples.size).toBeLessThan(1_000);
  for (const replayed of [last / 4, last / 2, last - 10]) {
    const known = samples.takeReplayed(BigInt(replayed)) ?? 0;
    expect(known).toBeLessThanOrEqual(replayed);
    expect(known).toBeGreaterThan(replayed - (last - replayed) * 0.05 - 1);
  }
  expect(samples.takeReplayed(BigInt(last))).toBe(last);
});
