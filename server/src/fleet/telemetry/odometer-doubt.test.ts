import { describe, expect, test } from 'vitest';
import { type Confirmed, judge, type OdometerState } from './odometer-doubt.ts';

const hourMs = 3_600_000;

/** What is judged of readings at hours, and the odometer that is believed after each. */
function judgeAll(readings: readonly [hour: number, odometer: number][]) {
  const confirmed = new Map<number, Confirmed>();
  const believed: (number | undefined)[] = [];
  let state: OdometerState = {};
  for (const [hour, odometer] of readings) {
    const judged = judge(state, { time: hour * hourMs, odometer });
    state = judged.state;
    confirmed.set(hour, judged.confirmed);
    if (judged.nowConfirmed) confirmed.set(judged.nowConfirmed.time / hourMs, true);
    believed.push(state.undoubted?.odometer);
  }
  return { confirmed: [...confirmed.values()], believed };
}

describe('a reading of the odometer', () => {
  test.each<[string, [number, number][], Confirmed[], number[]]>([
    ['that is the first is believed', [[0, 45_000]], [null], [45_000]],
    [
      'that goes on is believed',
      [
        [0, 100],
        [1, 400],
        [2, 401],
      ],
      [null, null, null],
      [100, 400, 401],
    ],
    [
      'of 0 between others is in doubt for good',
      [
        [0, 45_000],
        [1, 0],
        [2, 45_080],
      ],
      [null, false, null],
      [45_000, 45_000, 45_080],
    ],
    [
      'that leaps is in doubt, and one that leaps elsewhere does not agree with it',
      [
        [0, 100],
        [1, 5_000],
        [2, 90_000],
        [3, 150],
      ],
      [null, false, false, null],
      [100, 100, 100, 150],
    ],
    [
      'that fell is believed when the next agrees: the instruments were replaced',
      [
        [0, 45_000],
        [1, 3],
        [2, 40],
        [3, 90],
      ],
      [null, true, null, null],
      [45_000, 45_000, 40, 90],
    ],
    [
      'that is rounded differently is no fall and no leap',
      [
        [0, 100.4],
        [0.0001, 101],
        [0.0002, 100.2],
      ],
      [null, null, null],
      [100.4, 101, 100.2],
    ],
    [
      'has gone 300 km/h at most',
      [
        [0, 0],
        [10, 3_001],
        [20, 6_003],
      ],
      [null, null, false],
      [0, 3_001, 3_001],
    ],
  ])('%s', (_, readings, confirmed, believed) => {
    expect(judgeAll(readings)).toEqual({ confirmed, believed });
  });
});
