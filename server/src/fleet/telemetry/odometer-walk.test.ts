import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeOdometers } from './judge-odometers.ts';
import {
  type Confirmed,
  judge,
  type OdometerReading,
  type OdometerState,
} from './odometer-doubt.ts';
import type { OdometerStore, StoredReading } from './odometer-store.ts';
import type { Stretch } from './odometer-walk.ts';

type History = Map<number, StoredReading>;

const inOrder = (history: History) => [...history.values()].sort((a, b) => a.time - b.time);

/** In memory. */
const storeOf = (history: History): OdometerStore => ({
  readStates: async (keys) =>
    keys.map(({ time }) => {
      const before = inOrder(history).filter((one) => one.time < time);
      const undoubted = before.findLast(({ confirmed }) => confirmed === null);
      const last = before.at(-1);
      return {
        ...(undoubted && { undoubted }),
        ...(last && last !== undoubted && { doubted: last }),
      };
    }),
  readFrom: async (keys, count) =>
    keys.map(({ time }) =>
      inOrder(history)
        .filter((one) => one.time >= time)
        .slice(0, count),
    ),
  async mark(marks) {
    for (const { time, confirmed } of marks) {
      const reading = history.get(time);
      if (reading) history.set(time, { ...reading, confirmed });
    }
  },
});

/** A vehicle whose walks are deferred after a page. */
function newVehicle() {
  const history: History = new Map();
  const pending: Stretch[] = [];
  let status: OdometerState = {};

  async function walk(changed: Map<number, number>, newest: number, again?: Stretch) {
    const vehicle = {
      vehicleId: 'V1',
      changed,
      again,
      sent: new Set(changed.keys()),
      status: { ...status.undoubted, doubted: status.doubted },
      newest,
    };
    const judged = await judgeOdometers(storeOf(history), [vehicle], 1);
    const { last, deferred = [] } = judged.get('V1') ?? {};
    if (last) status = last;
    expect(deferred.length).toBeLessThanOrEqual(1);
    pending.push(...deferred);
  }

  return {
    async send(readings: readonly OdometerReading[]) {
      const newest = Math.max(...history.keys());
      const changed = new Map<number, number>();
      for (const { time, odometer } of readings) {
        const known = history.get(time);
        if (known && known.odometer >= odometer) continue;
        history.set(time, { time, odometer, confirmed: known?.confirmed ?? null });
        changed.set(time, odometer);
      }
      if (changed.size > 0) await walk(changed, newest);
    },
    async runJob(number: number) {
      const [again] = pending.splice(number % pending.length, 1);
      await walk(new Map(), Math.max(...history.keys()), again);
    },
    pending,
    told: () => ({
      confirmed: inOrder(history).map(({ confirmed }) => confirmed),
      undoubted: status.undoubted?.time,
      doubted: status.doubted?.time,
    }),
  };
}

/** The rule, applied to all readings in the order of time. */
function expected(readings: readonly OdometerReading[]) {
  const greatest = new Map<number, number>();
  for (const { time, odometer } of readings)
    greatest.set(time, Math.max(greatest.get(time) ?? 0, odometer));
  const confirmed = new Map<number, Confirmed>();
  let state: OdometerState = {};
  for (const [time, odometer] of [...greatest].sort(([a], [b]) => a - b)) {
    const judged = judge(state, { time, odometer });
    state = judged.state;
    confirmed.set(time, judged.confirmed);
    if (judged.nowConfirmed) confirmed.set(judged.nowConfirmed.time, true);
  }
  return {
    confirmed: [...confirmed.values()],
    undoubted: state.undoubted?.time,
    doubted: state.doubted?.time,
  };
}

const reading = fc.record({ time: fc.nat(80), odometer: fc.constantFrom(0, 500, 1_000, 1_500) });
const batch = fc.array(reading, { minLength: 1, maxLength: 25 });

test('with the rest of long walks judged later, in any order and between messages, the verdicts are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ batch, jobs: fc.array(fc.nat(100), { maxLength: 4 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      async (sent) => {
        const vehicle = newVehicle();
        for (const { batch, jobs } of sent) {
          await vehicle.send(batch);
          for (const number of jobs) if (vehicle.pending.length > 0) await vehicle.runJob(number);
        }
        while (vehicle.pending.length > 0) await vehicle.runJob(0);
        expect(vehicle.told()).toEqual(expected(sent.flatMap((one) => one.batch)));
      },
    ),
    { numRuns: 500 },
  );
});

/** Walks again through readings of which some are wrongly in doubt; returns where others are told to be. */
async function rejudgedOf(count: number, isDoubted: (time: number) => boolean) {
  const history: History = new Map();
  for (let time = 0; time < count; time++)
    history.set(time, { time, odometer: 1_000, confirmed: isDoubted(time) ? false : null });
  const last = count - 1;
  const vehicle = {
    vehicleId: 'V1',
    changed: new Map(),
    again: { from: 0, until: last },
    sent: new Set<number>(),
    status: { odometer: 1_000, time: last },
    newest: last,
  };
  const judged = await judgeOdometers(storeOf(history), [vehicle]);
  expect([...history.values()].filter(({ confirmed }) => confirmed !== null)).toEqual([]);
  return judged.get('V1')?.rejudged ?? [];
}

test('what a walk that was deferred leaves as it was is in no period', async () => {
  expect(await rejudgedOf(1_000, (time) => [10, 11, 900].includes(time))).toEqual([
    { first: 10, last: 11 },
    { first: 900, last: 900 },
  ]);
});

test('a walk that was deferred tells few periods: from the last on, what changed is one', async () => {
  const periods = await rejudgedOf(1_000, (time) => time % 2 === 1 && time < 999);
  expect(periods).toHaveLength(100);
  expect(periods.at(-2)).toEqual({ first: 197, last: 197 });
  expect(periods.at(-1)).toEqual({ first: 199, last: 997 });
});
