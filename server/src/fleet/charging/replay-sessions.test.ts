import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { chargingCars, type Detected, provider, start } from '../../testing/charging-cars.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { ingest } from '../telemetry/ingest.ts';
import type { ChargingSample } from './detection/session.ts';

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

const withoutId = ({ id: _, ...session }: Detected) => session;

/** Counts the sessions that are written and deleted after each page of the history. */
function countReplaced(tx: Queryable, replaced: number[]): Queryable {
  const query: Queryable['query'] = (text, values = []) => {
    if (/from vehicle_history.* limit 500$/s.test(text)) replaced.push(0);
    const last = replaced.length - 1;
    if (text.startsWith('delete from charging_sessions'))
      replaced[last] = (replaced[last] ?? 0) + (values[2] as string[]).length;
    if (text.includes('insert into charging_sessions') || text.includes('update charging_sessions'))
      replaced[last] = (replaced[last] ?? 0) + JSON.parse(values[1] as string).length;
    return tx.query(text, values);
  };
  return { ...tx, query };
}
