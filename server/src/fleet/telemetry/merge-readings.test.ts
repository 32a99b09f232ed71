import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Known, mergeReadings, type Reading } from './merge-readings.ts';
import { historySignals, type Moment, type SignalName, type Signals } from './signals.ts';

const nothing: Known = { signals: {}, times: {}, extra: new Map(), moments: new Map() };

/** Few times and few values, so that many are equal. */
const reading: fc.Arbitrary<Reading> = fc.record({
  time: fc.integer({ min: 1, max: 5 }),
  signals: fc
    .record(
      {
        odometer: fc.integer({ min: 0, max: 3 }),
        fuelLevel: fc.integer({ min: 0, max: 3 }),
        location: fc.record({
          lat: fc.integer({ min: 0, max: 1 }),
          lng: fc.integer({ min: 0, max: 1 }),
        }),
        isCharging: fc.boolean(),
        isLocked: fc.boolean(),
        nextServiceDate: fc.constantFrom('2026-12-31', '2027-01-01'),
        energyMeter: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: [] },
    )
    .filter((signals) => Object.keys(signals).length > 0),
});
const readings = fc.array(reading, { maxLength: 30 });

/** The same readings in another order, some of them again, cut into batches. */
const disturbed = readings.chain((sent) =>
  fc.record({
    sent: fc.constant(sent),
    batches: fc
      .tuple(
        fc.shuffledSubarray(sent, { minLength: sent.length }),
        fc.shuffledSubarray(sent),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 60, maxLength: 60 }),
      )
      .map(([all, again, sizes]) => cut([...all, ...again], sizes)),
  }),
);

function cut(sent: readonly Reading[], sizes: readonly number[]): Reading[][] {
  const batches: Reading[][] = [];
  for (let start = 0; start < sent.length; start += batches.at(-1)?.length ?? 1) {
    batches.push(sent.slice(start, start + (sizes[batches.length] ?? 1)));
  }
  return batches;
}

/** Batch after batch, as the service does it. */
function mergeAll(batches: readonly (readonly Reading[])[], known = nothing) {
  const outcomes: string[] = [];
  let now = known;
  for (const batch of batches) {
    const merged = mergeReadings(now, batch);
    outcomes.push(...merged.outcomes);
    now = { ...merged, moments: new Map([...now.moments, ...merged.changedMoments]) };
  }
  const { signals, times, moments } = now;
  return { known: { signals, times, moments: Object.fromEntries(moments) }, now, outcomes };
}

const greater = (a: unknown, b: unknown) => {
  const key = (value: unknown) =>
    typeof value === 'object' ? Object.values(value as object).join() : value;
  return (key(a) as number) > (key(b) as number);
};

/** The rule in other words: of all values of a signal, those of the newest moment, and the greatest. */
function expected(sent: readonly Reading[]) {
  const signals: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  const moments: Record<number, Record<string, unknown>> = {};
  for (const { time, signals: reported } of sent) {
    moments[time] ??= {};
    for (const [name, value] of Object.entries(reported)) {
      const newest = Math.max(...sent.filter((one) => name in one.signals).map((one) => one.time));
      times[name] = newest;
      if (time === newest && (!(name in signals) || greater(value, signals[name]))) {
        signals[name] = value;
      }
      const moment = moments[time];
      const kept = (historySignals as readonly string[]).includes(name);
      if (kept && (!(name in moment) || greater(value, moment[name]))) moment[name] = value;
    }
  }
  return { signals, times, moments };
}

describe('however messages come', () => {
  test('in any order, again and again, in any batches: status, times and history are the same', () => {
    fc.assert(
      fc.property(disturbed, ({ sent, batches }) => {
        expect(mergeAll(batches).known).toEqual(expected(sent));
      }),
      { numRuns: 500 },
    );
  });

  test('what became of each does not depend on how they were batched', () => {
    fc.assert(
      fc.property(disturbed, ({ batches }) => {
        const oneByOne = batches.flat().map((one) => [one]);
        expect(mergeAll(batches).outcomes).toEqual(mergeAll(oneByOne).outcomes);
      }),
    );
  });

  test('sent again, all are duplicates and nothing changes', () => {
    fc.assert(
      fc.property(disturbed, ({ sent, batches }) => {
        const again = mergeReadings(mergeAll([sent]).now, batches.flat());
        expect(again.outcomes.filter((outcome) => outcome !== 'duplicate')).toEqual([]);
        expect([...again.changedSignals, ...again.changedMoments]).toEqual([]);
      }),
    );
  });
});

function merge(sent: Reading[], known: Partial<Known> = {}) {
  return mergeReadings({ ...nothing, ...known }, sent);
}

describe('a message', () => {
  const known = { signals: { odometer: 10, isLocked: true }, times: { odometer: 5, isLocked: 3 } };

  test.each<[string, Signals, number]>([
    ['accepted', { odometer: 11 }, 6],
    ['accepted', { odometer: 9, isLocked: false }, 4],
    ['accepted', { fuelLevel: 50 }, 1],
    ['accepted', { odometer: 12 }, 5],
    ['stale', { odometer: 9 }, 4],
    ['stale', { odometer: 9, isLocked: true }, 2],
    ['stale', { odometer: 8 }, 5],
  ])('is %s with %o at %i', (outcome, signals, time) => {
    expect(merge([{ time, signals }], known).outcomes).toEqual([outcome]);
  });

  test('is a duplicate of one with the same signals, also when a newer one came since', () => {
    const first = { time: 1, signals: { isLocked: true } };
    const second = { time: 2, signals: { isLocked: false } };
    expect(merge([first, first, second, first, second]).outcomes).toEqual([
      'accepted',
      'duplicate',
      'accepted',
      'duplicate',
      'duplicate',
    ]);
  });

  test('overwrites a value whose time is not known, however old it is', () => {
    const { signals, times } = merge([{ time: 1, signals: { odometer: 3 } }], {
      signals: { odometer: 10 },
    });
    expect([signals, times]).toEqual([{ odometer: 3 }, { odometer: 1 }]);
  });

  test('adds to a moment that the history has, and takes nothing from it', () => {
    const moments = new Map<number, Moment>([[1, { odometer: 5, isCharging: true }]]);
    const sent = { time: 1, signals: { odometer: 4, isCharging: false, fuelLevel: 7 } };
    expect([...merge([sent], { moments }).changedMoments]).toEqual([
      [1, { odometer: 5, isCharging: true, fuelLevel: 7 }],
    ]);
    expect([...moments.values()]).toEqual([{ odometer: 5, isCharging: true }]);
  });

  test('names only the signals that it changed', () => {
    const sent = { time: 4, signals: { odometer: 1, isLocked: false, reach: 2 } };
    expect([...merge([sent], known).changedSignals]).toEqual<SignalName[]>(['isLocked', 'reach']);
  });
});

describe('the odometer of the next service', () => {
  const service = (time: number, signals: Signals) => ({ time, signals });

  test('is that of the message plus its distance', () => {
    const sent = service(5, { odometer: 1_000, nextServiceDistance: 500 });
    expect(merge([sent]).nextServiceOdometer).toBe(1_500);
    const late = service(4, { odometer: 900, nextServiceDistance: 100 });
    expect(merge([sent, late]).nextServiceOdometer).toBe(1_500);
  });

  test('is the same when the two come apart, the later odometers before them or after', () => {
    const parts = [
      service(5, { nextServiceDistance: 500 }),
      service(5, { odometer: 1_000 }),
      service(9, { odometer: 1_200 }),
    ];
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [2, 0, 1],
    ]) {
      const sent = order.flatMap((index) => parts[index] ?? []);
      expect(merge([...sent, ...sent]).nextServiceOdometer, order.join()).toBe(1_500);
    }
  });

  test('is counted from the newest odometer when the message has none', () => {
    const sent = service(9, { nextServiceDistance: -50 });
    expect(merge([service(8, { odometer: 1_000 }), sent]).nextServiceOdometer).toBe(950);
    expect(merge([sent]).nextServiceOdometer).toBeUndefined();
    // The first odometer that comes afterwards makes up for it.
    expect(merge([sent, service(10, { odometer: 1_000 })]).nextServiceOdometer).toBe(950);
  });

  test('does not move by less than a kilometre, and never drifts by it', () => {
    const steps = Array.from({ length: 20 }, (_, index) =>
      service(index, { odometer: 1_000 + index, nextServiceDistance: 500 - index * 0.9 }),
    );
    const seen = steps.map((_, index) => merge(steps.slice(0, index + 1)).nextServiceOdometer);
    expect(new Set(seen).size).toBeLessThan(4);
    expect(Math.abs((seen.at(-1) ?? 0) - 1_501.9)).toBeLessThan(1);
  });

  test('is not known when the sum is no number', () => {
    const sent = service(1, { odometer: 1.7e308, nextServiceDistance: 1.7e308 });
    expect(merge([sent]).nextServiceOdometer).toBeUndefined();
  });
});
