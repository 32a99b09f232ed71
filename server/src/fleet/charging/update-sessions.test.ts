import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  capacityKwh,
  charge,
  chargingCars,
  type Detected,
  provider,
  start,
} from '../../testing/charging-cars.ts';
import { hour, mergedOf, minute, sessionsIn, streams } from '../../testing/charging-streams.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicle } from '../vehicles/public.ts';
import type { ChargingSample } from './detection/session.ts';

/** On real history: every batch begins with what the one before left in the database. */

let service: TestService;
let cars: ReturnType<typeof chargingCars>;
beforeAll(async () => {
  service = await startTestService();
  cars = chargingCars(service);
});
afterAll(() => service.stop());

const withoutId = ({ id: _, ...session }: Detected) => session;
const idsOf = (sessions: readonly Detected[]) => sessions.map(({ id }) => id);

describe('the same messages give the same sessions', () => {
  const arrivals = streams.chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      // How late each comes, how often, and whether a batch ends with it.
      order: fc.array(
        fc.record({
          delay: fc.oneof(
            { weight: 3, arbitrary: fc.constant(0) },
            fc.integer({ min: 0, max: stream.length }),
          ),
          isTwice: fc.boolean(),
          isLast: fc.boolean(),
        }),
        { minLength: stream.length, maxLength: stream.length },
      ),
    }),
  );

  type Arrivals = typeof arrivals extends fc.Arbitrary<infer Value> ? Value : never;

  function batchesOf({ stream, order }: Arrivals): ChargingSample[][] {
    const sent = stream.flatMap((sample, index) => {
      const { delay = 0, isTwice = false, isLast = true } = order[index] ?? {};
      const once = { sample, at: index + delay, isLast };
      return isTwice ? [once, { ...once, at: index + 2 * delay }] : [once];
    });
    const batches: ChargingSample[][] = [[]];
    for (const { sample, isLast } of sent.toSorted((a, b) => a.at - b.at)) {
      batches.at(-1)?.push(sample);
      if (isLast) batches.push([]);
    }
    return batches.filter((batch) => batch.length > 0);
  }

  const ofHybrid = ({ level: stateOfCharge, ...signals }: ChargingSample) => ({
    ...signals,
    stateOfCharge,
    fuelLevel: 70,
  });

  test('in any order, more than once, in any batches, and after each of them', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.boolean(), async (arrival, hasTank) => {
        const car = await cars.make({
          evBatteryCapacity: capacityKwh,
          ...(hasTank && { iceTankCapacity: 40 }),
        });
        const sent: ChargingSample[] = [];
        for (const batch of batchesOf(arrival)) {
          await cars.send(car, ...(hasTank ? batch.map(ofHybrid) : batch));
          sent.push(...batch);
          expect((await cars.detected(car)).map(withoutId)).toEqual(
            sessionsIn(mergedOf(sent), capacityKwh),
          );
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('late messages', () => {
  test('split and move sessions, which keep their ids where they overlap', async () => {
    const car = await cars.make();
    const whole = charge(0);
    // Without messages in the middle, but with a higher level after it.
    await cars.send(car, ...whole.filter(({ time }) => time <= 10 * minute || time >= 50 * minute));
    const [before] = await cars.detected(car);
    expect(before).toMatchObject({ from: 0, to: hour });
    await cars.send(car, { time: 25 * minute, isPluggedIn: false, level: 42 });
    const split = await cars.detected(car);
    expect(split.map(({ from, to }) => [from, to])).toEqual([
      [0, 25 * minute],
      [50 * minute, hour],
    ]);
    expect(split[0]?.id).toBe(before?.id);

    await cars.send(car, { time: -5 * minute, isCharging: true, level: 39 });
    const [moved, rest] = await cars.detected(car);
    expect(moved).toMatchObject({ id: before?.id, from: -5 * minute, fromLevel: 39 });
    expect(rest).toEqual(split[1]);
  });

  test('join two sessions under the id of the first', async () => {
    const car = await cars.make();
    const whole = [...charge(0).slice(0, -1), ...charge(hour)].map((sample) => ({
      ...sample,
      level: 43,
    }));
    const isLate = ({ time }: ChargingSample) => time > 10 * minute && time < 80 * minute;
    await cars.send(car, ...whole.filter((sample) => !isLate(sample)));
    const before = await cars.detected(car);
    expect(before.map(({ from, to }) => [from, to])).toEqual([
      [0, 10 * minute],
      [80 * minute, 2 * hour],
    ]);
    await cars.send(car, ...whole.filter(isLate));
    const after = await cars.detected(car);
    expect(after.map(({ from, to }) => [from, to])).toEqual([[0, 2 * hour]]);
    expect(idsOf(after)).toEqual(idsOf(before).slice(0, 1));
  });

  test('are looked at with their neighbours alone, not with all that came since', async () => {
    const car = await cars.make();
    for (let day = 0; day < 8; day++) await cars.send(car, ...charge(day * 24 * hour));
    const before = await cars.detected(car);
    expect(before).toHaveLength(8);
    // A mark that finding them again would remove.
    await service.db.query(
      `update charging_sessions set charged_kwh = 777 where provider = 'DE-ABC' and vehicle_id = $1`,
      [car],
    );
    const late = 3 * 24 * hour + 55 * minute;
    const newest = 7 * 24 * hour + 2 * hour;
    await cars.send(car, { time: late, level: 45.5 }, { time: newest, level: 46 });
    const after = await cars.detected(car);
    expect(after.map(({ chargedKwh }) => chargedKwh)).toEqual(
      before.map(({ chargedKwh }, day) => (day === 3 ? chargedKwh : 777)),
    );
    expect(idsOf(after)).toEqual(idsOf(before));
  });

  test('reach over any number of messages that are not', async () => {
    const car = await cars.make();
    const many = Array.from({ length: 1_200 }, (_, minutes) => ({
      time: minutes * minute,
      isPluggedIn: true,
      isCharging: true,
      level: 20 + minutes / 20,
    }));
    await cars.send(car, ...many, { time: 1_200 * minute, isPluggedIn: false, level: 80 });
    await cars.send(car, { time: -minute, isCharging: true, level: 19 });
    expect(
      (await cars.detected(car)).map(({ from, to, fromLevel, toLevel }) => [
        from,
        to,
        fromLevel,
        toLevel,
      ]),
    ).toEqual([[-minute, 1_200 * minute, 19, 80]]);
  });

  test('replace any number of sessions, each under its id', async () => {
    const car = await cars.make();
    const sessions = Array.from({ length: 1_500 }, (_, index) => index * minute);
    const many = sessions.flatMap((time) => [
      { time, isPluggedIn: true, isCharging: true },
      { time: time + 20_000, isPluggedIn: false, isCharging: false },
    ]);
    await cars.send(car, ...many);
    const before = await cars.detected(car);
    expect(before.map(({ from }) => from)).toEqual(sessions);
    // What is known for a day is of all that begin within it; here, none overlaps one of before.
    const late = { time: -1_000, location: { lat: 50, lng: 8 } };
    await cars.send(car, late, { time: 30_000, isPluggedIn: true, isCharging: true });
    const after = await cars.detected(car);
    expect(after.map(({ from }) => from)).toEqual(sessions.toSpliced(1, 1, 30_000));
    expect(idsOf(after)).toEqual(idsOf(before));
    expect(new Set(after.slice(0, 1_439).map((session) => session.location?.lat))).toEqual(
      new Set([50]),
    );
  });

  test('leave alone what the history does not know any more', async () => {
    const car = await cars.make();
    await cars.send(car, ...charge(0), ...charge(5 * hour), ...charge(10 * hour));
    const before = await cars.detected(car);
    await service.db.query(
      `delete from vehicle_history where provider = 'DE-ABC' and vehicle_id = $1 and time < $2`,
      [car, new Date(start + 5 * hour + 15 * minute).toISOString()],
    );
    await cars.send(
      car,
      { time: 5 * hour + 25 * minute, isPluggedIn: false, level: 20 },
      { time: 10 * hour - minute, isCharging: true, level: 39 },
    );
    const after = await cars.detected(car);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after.slice(2)).toMatchObject([{ id: before[2]?.id, from: 10 * hour - minute }]);
  });
});

describe('a vehicle', () => {
  test('has sessions of its own, late and in time in one batch', async () => {
    const [one, other] = [await cars.make(), await cars.make()];
    await cars.send(one, ...charge(0));
    await cars.sendAll([
      { vehicleId: one, sample: { time: -minute, isCharging: true, level: 39 } },
      ...charge(0).map((sample) => ({ vehicleId: other, sample })),
    ]);
    expect((await cars.detected(one)).map(({ from }) => from)).toEqual([-minute]);
    expect((await cars.detected(other)).map(({ from }) => from)).toEqual([0]);
  });

  test('with a tank has no state of charge but that which it reports, in time or late', async () => {
    const car = await cars.make({ evBatteryCapacity: 12, iceTankCapacity: 40 });
    await cars.send(car, ...charge(0));
    const expected = {
      from: 0,
      to: hour,
      fromLevel: undefined,
      toLevel: undefined,
      chargedKwh: undefined,
    };
    expect(await cars.detected(car)).toMatchObject([expected]);
    await cars.send(car, { time: 15 * minute, level: 3 });
    expect(await cars.detected(car)).toMatchObject([expected]);
    await cars.send(
      car,
      { time: 0, stateOfCharge: 20 },
      { time: 30 * minute, stateOfCharge: 45 },
      { time: hour, stateOfCharge: 70 },
    );
    expect(await cars.detected(car)).toMatchObject([
      { ...expected, fromLevel: 20, toLevel: 70, chargedKwh: 6 },
    ]);
  });

  test('that stops to track its position has none in any session, nor gets one from late messages', async () => {
    const car = await cars.make();
    await cars.send(car, ...charge(0), ...charge(2 * hour).slice(0, 3));
    await writeVehicle(service.writer, provider, car, {
      information: { evBatteryCapacity: capacityKwh, trackGeolocation: false },
    });
    await cars.send(car, ...charge(2 * hour).slice(3), {
      time: -minute,
      isCharging: true,
      level: 39,
    });
    const sessions = await cars.detected(car);
    expect(sessions.map(({ location }) => location)).toEqual([undefined, undefined]);
  });
});
