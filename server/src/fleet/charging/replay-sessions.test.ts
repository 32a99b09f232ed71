import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { chargingCars, type Detected, provider, start } from '../../testing/charging-cars.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { ingest } from '../telemetry/ingest.ts';
import type { ChargingSample } from './detection/session.ts';
import { replaySessions } from './replay-sessions.ts';

let service: TestService;
let cars: ReturnType<typeof chargingCars>;
beforeAll(async () => {
  service = await startTestService();
  cars = chargingCars(service);
});
afterAll(() => service.stop());

const second = 1_000;
const count = 5_000;

/** It charges all the time, at one place after the other, as a broken device tells. */
const stream = (latOf: (index: number) => number): ChargingSample[] =>
  Array.from({ length: count }, (_, index) => ({
    time: index * second,
    isPluggedIn: true,
    isCharging: true,
    location: { lat: latOf(index), lng: 8 },
  }));
// Beyond 0.5 km it is another place; a degree of latitude has 111 km.
const [north, middle, south] = [50.0036, 50, 49.9964];

const histories = [
  {
    name: 'sessions that adjoin',
    samples: stream((index) => 50 + (index % 2)),
    late: { time: -second, energyMeter: 5 },
  },
  {
    name: 'sessions that all begin one message later',
    samples: stream((index) => 40 + index * 0.003),
    late: { time: -second, isPluggedIn: true, isCharging: true, location: { lat: 39.997, lng: 8 } },
  },
  {
    name: 'one session that becomes many',
    samples: stream((index) => [middle, north, south][index && 1 + (index % 2)] ?? middle),
    late: { time: -second, isPluggedIn: true, isCharging: true, location: { lat: north, lng: 8 } },
  },
  {
    name: 'many sessions that become one',
    samples: stream((index) => [north, south][index % 2] ?? north),
    late: { time: -second, isPluggedIn: true, isCharging: true, location: { lat: middle, lng: 8 } },
  },
];

test.each(histories)(
  '$name are replaced in parts, while the history is read',
  async ({ samples, late }) => {
    const [inOrder, outOfOrder] = [await cars.make(), await cars.make()];
    await cars.send(inOrder, late, ...samples);
    await cars.send(outOfOrder, ...samples);
    const before = await cars.detected(outOfOrder);
    const reading = { vehicleId: outOfOrder, time: start + late.time, signals: late };
    const replaced: number[] = [];
    await service.db.transaction((tx) => {
      const counted = countReplaced(tx, replaced);
      return ingest({ tx: counted, events: service.dependencies.events }, provider, [reading]);
    });
    const after = await cars.detected(outOfOrder);
    expect(after.map(withoutId)).toEqual((await cars.detected(inOrder)).map(withoutId));
    // The ids of before, as far as there are as many sessions.
    const ids = new Set(before.map(({ id }) => id));
    const taken = after.filter(({ id }) => ids.has(id));
    expect(taken).toHaveLength(Math.min(before.length, after.length));
    expect(replaced.length).toBeGreaterThan(count / 1_000);
    expect(Math.max(...replaced)).toBeLessThanOrEqual(2_000);
  },
);

test('late messages among others search none of the history twice for what was known before them', async () => {
  const [inOrder, outOfOrder] = [await cars.make(), await cars.make()];
  const idle = Array.from({ length: 2_000 }, (_, index) => ({
    time: index * 10 * second,
    isPluggedIn: false,
    isCharging: false,
    ...(index === 0 && { level: 40 }),
  }));
  const late = Array.from({ length: 50 }, (_, index) => ({
    time: (index * 400 + 3) * second,
    isPluggedIn: true,
    isCharging: true,
  }));
  const sorted = [...idle, ...late].toSorted((a, b) => a.time - b.time);
  await cars.send(inOrder, ...sorted);
  await cars.send(outOfOrder, ...idle);
  const searched: { first: number; last: number }[] = [];
  let pages = 0;
  await service.db.transaction((tx) => {
    const query: Queryable['query'] = (text, values = []) => {
      const [, , first, last] = values as string[];
      if (isPage(text)) pages += 1;
      if (text.includes('left join lateral') && text.includes('vehicle_history'))
        searched.push({ first: Date.parse(first ?? ''), last: Date.parse(last ?? '') });
      return tx.query(text, values);
    };
    const readings = late.map(({ time, ...signals }) => ({
      vehicleId: outOfOrder,
      time: start + time,
      signals,
    }));
    return ingest(
      { tx: { ...tx, query }, events: service.dependencies.events },
      provider,
      readings,
    );
  });
  const detected = (await cars.detected(outOfOrder)).map(withoutId);
  expect(detected).toEqual((await cars.detected(inOrder)).map(withoutId));
  expect(detected.map(({ from }) => from)).toEqual(late.map(({ time }) => time));
  expect(pages).toBe(Math.ceil(sorted.length / 500));
  expect(searched.length).toBeGreaterThan(0);
  for (const [index, { first }] of searched.entries())
    expect(first).toBeGreaterThanOrEqual(searched[index - 1]?.last ?? 0);
});

test('a replay beyond its budget is refused', async () => {
  const car = await cars.make();
  await cars.send(car, ...stream((index) => 50 + (index % 2)).slice(0, 20));
  const replay = (left: number) =>
    service.db.transaction((tx) =>
      replaySessions(
        {
          tx,
          clock: service.dependencies.clock,
          gapMs: 900_000,
          providerId: provider.id,
          vehicleId: car,
          openFrom: undefined,
          levelIsCharge: true,
          lastKnown: {},
          budget: { left },
        },
        [{ first: start, last: start }],
      ),
    );
  await replay(20);
  await expect(replay(19)).rejects.toMatchObject({ status: 503, kind: 'query-too-expensive' });
});

const isPage = (text: string) => /from vehicle_history.* limit 500$/s.test(text);

const withoutId = ({ id: _, ...session }: Detected) => session;

/** Counts the sessions that are written and deleted after each page of the history. */
function countReplaced(tx: Queryable, replaced: number[]): Queryable {
  const query: Queryable['query'] = (text, values = []) => {
    if (isPage(text)) replaced.push(0);
    const last = replaced.length - 1;
    if (text.startsWith('delete from charging_sessions'))
      replaced[last] = (replaced[last] ?? 0) + (values[2] as string[]).length;
    if (text.includes('insert into charging_sessions') || text.includes('update charging_sessions'))
      replaced[last] = (replaced[last] ?? 0) + JSON.parse(values[1] as string).length;
    return tx.query(text, values);
  };
  return { ...tx, query };
}
