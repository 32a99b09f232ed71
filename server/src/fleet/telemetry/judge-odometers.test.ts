import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type ChangedOdometers, judgeOdometers } from './judge-odometers.ts';
import { markOdometers } from './odometer-store.ts';

const provider = 'DE-ABC';
const begin = Date.now() - 20 * 86_400_000;
const at = (index: number) => begin + index * 60_000;
const readingsEach = 600;
const vehicleIds = Array.from({ length: 12 }, (_, index) => `DE*ABC*M${index}`);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // Each fiftieth reading falls to 0.
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer)
     select $1, id, $3::timestamptz + index * interval '1 minute',
       case when index % 50 = position then 0 else 1000 + index end
     from unnest($2::text[]) with ordinality as vehicle (id, position), generate_series(1, $4::int) index`,
    [provider, vehicleIds, new Date(begin), readingsEach],
  );
});
afterAll(() => service.stop());

/** Runs `work`; returns its result, and how many rows each of its statements returned. */
async function counted<Result>(work: (tx: Queryable) => Promise<Result>) {
  const rows: number[] = [];
  const result = await service.db.transaction((tx) => {
    const query: Queryable['query'] = async <Row>(text: string, values?: readonly unknown[]) => {
      const returned = await tx.query<Row>(text, values);
      rows.push(returned.length);
      return returned;
    };
    return work({ ...tx, query });
  });
  return { result, rows };
}

test('long walks of many vehicles are read in parts, and judged as each alone', async () => {
  // Without the time of the status, all readings are walked through.
  const vehicles = vehicleIds.map(
    (vehicleId): ChangedOdometers => ({
      vehicleId,
      changed: new Map([[at(0), 1_000]]),
      status: {},
      newest: at(readingsEach),
    }),
  );
  const { result, rows } = await counted((tx) => judgeOdometers(tx, provider, vehicles));
  expect(Math.max(...rows)).toBeLessThanOrEqual(4_096);
  expect(rows.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(
    vehicleIds.length * readingsEach,
  );
  expect([...result.keys()]).toEqual(vehicleIds);
  for (const vehicle of vehicles) {
    const alone = await judgeOdometers(service.db, provider, [vehicle]);
    const judged = result.get(vehicle.vehicleId);
    expect(judged).toEqual(alone.get(vehicle.vehicleId));
    expect(judged?.confirmed.size).toBe(1 + readingsEach / 50);
    expect(judged?.last?.undoubted?.odometer).toBe(1_000 + readingsEach);
  }
});

test('many marks are written in parts', async () => {
  const marks = vehicleIds.flatMap((vehicleId) =>
    Array.from({ length: readingsEach }, (_, index) => ({
      vehicleId,
      time: at(index + 1),
      confirmed: index % 2 === 0,
    })),
  );
  const { rows } = await counted((tx) => markOdometers(tx, provider, marks));
  expect(rows).toHaveLength(2);
  expect(
    await service.db.query(
      `select odometer_confirmed as confirmed, count(*)::int from vehicle_history
       where provider = $1 and vehicle_id = any($2) group by 1 order by 1`,
      [provider, vehicleIds],
    ),
  ).toEqual([
    { confirmed: false, count: marks.length / 2 },
    { confirmed: true, count: marks.length / 2 },
  ]);
});
