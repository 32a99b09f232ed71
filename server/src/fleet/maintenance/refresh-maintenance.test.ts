import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { estimateFleet } from '../inspection/estimate-jobs.ts';
import { createPartitions } from '../telemetry/public.ts';
import { writeVehicles } from '../vehicles/public.ts';
import { planMaintenance } from './plan-maintenance.ts';
import { refreshFleet } from './refresh-fleet.ts';
import { refreshMaintenance } from './refresh-maintenance.ts';

const now = new Date('2026-11-15T12:00:00Z');
const dayMs = 86_400_000;
const at = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
const day = (days: number) => at(days).slice(0, 10);
const german = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const french = { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' };
const id = 'DE*ABC*V1';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await createPartitions(service.owner, 400, now);
});
afterAll(() => service.stop());
beforeEach(async () => {
  for (const table of ['vehicles', 'vehicle_history', 'maintenance_schedules']) {
    await service.db.queryUnprepared(`delete from ${table}`);
  }
});

/** Vehicles whose odometer was read so many days ago. */
async function vehicles(
  ids: string[],
  odometer?: number,
  readDaysAgo = 0,
  provider = german,
  information = {},
) {
  const status = { odometer, lastUpdated: at(-readDaysAgo) };
  await writeVehicles(
    quietWriter(service.db),
    provider,
    ids.map((one) => ({ asset: { id: one }, information, status })),
  );
}

async function report(
  due: { date?: string; odometer?: number },
  vehicleId = id,
  provider = 'DE-ABC',
): Promise<void> {
  await service.db.query(
    `insert into maintenance_reports
       (provider, vehicle_id, source, title, type, due_date, due_odometer, created_at, updated_at)
     values ($1, $2, 'manual', 'Service', 'service', $3, $4, now(), now())`,
    [provider, vehicleId, due.date, due.odometer],
  );
}

const history = (readings: [days: number, odometer: number | null][]) =>
  service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer)
     select 'DE-ABC', $1, * from unnest($2::timestamptz[], $3::double precision[])`,
    [id, readings.map(([days]) => at(days)), readings.map(([, odometer]) => odometer)],
  );

const refresh = (ids = [id], time = now) =>
  service.db.transaction((tx) =>
    refreshMaintenance({ tx, clock: { now: () => time } }, 'DE-ABC', ids),
  );

const forecasts = () =>
  service.db.query<{ status: string; forecast_date: string | null; soonest: string | null }>(
    'select status, forecast_date, soonest from maintenance_reports order by vehicle_id, due_odometer',
  );
const replanOdometer = async () => {
  const [row] = await service.db.query<{ replan_at_odometer: number | null }>(
    'select replan_at_odometer from vehicle_statuses where vehicle_id = $1',
    [id],
  );
  return row?.replan_at_odometer;
};

test.each<[string, [number, number | null][], string | null]>([
  ['no history: 40 km a day', [], day(250)],
  [
    'less than a week of it: 40 km a day',
    [
      [-6, 20_000],
      [0, 29_000],
    ],
    day(250),
  ],
  [
    '100 km a day',
    [
      [-80, 12_000],
      [-40, 13_000],
      [0, 20_000],
    ],
    day(100),
  ],
  [
    'more moments without an odometer than are searched for one: 40 km a day',
    [
      ...Array.from({ length: 20_000 }, (_, index): [number, null] => [-85 + index / 1e5, null]),
      [-50, 15_000],
      [0, 20_000],
    ],
    day(250),
  ],
  [
    'readings without an odometer around it',
    [
      [-85, null],
      [-50, 15_000],
      [0, 20_000],
      [0.1, null],
    ],
    day(100),
  ],
  [
    'older readings, which do not count',
    [
      [-91, 0],
      [-89, 15_550],
      [0, 20_000],
    ],
    day(200),
  ],
  [
    'a vehicle that stood still',
    [
      [-80, 20_000],
      [0, 20_000],
    ],
    null,
  ],
  [
    'an odometer that ran backwards',
    [
      [-80, 90_000],
      [0, 20_000],
    ],
    null,
  ],
])('a forecast by %s', async (_what, readings, forecast_date) => {
  await vehicles([id], 20_000);
  await report({ odometer: 30_000 });
  await history(readings);
  await refresh();
  expect(await forecasts()).toEqual([{ status: 'planned', forecast_date, soonest: forecast_date }]);
});

test('a forecast runs on from the day on which the odometer was read, and is none without one', async () => {
  await vehicles([id], 20_000, 25);
  await report({ odometer: 30_000, date: day(300) });
  await refresh();
  expect(await forecasts()).toMatchObject([{ forecast_date: day(225), soonest: day(225) }]);
  await vehicles([id]);
  await refresh();
  expect(await forecasts()).toEqual([
    { status: 'planned', forecast_date: null, soonest: day(300) },
  ]);
  expect(await replanOdometer()).toBe(0);
});

test('the replan odometer is stored with the status of the vehicle, and is none when nothing is due by distance', async () => {
  await vehicles([id], 20_000);
  await report({ odometer: 21_507 });
  await report({ odometer: 30_000 });
  await refresh();
  expect(await replanOdometer()).toBe(20_007);
  await service.db.query(
    'update maintenance_reports set closed_at = now() where due_odometer < 25000',
  );
  await refresh();
  expect(await replanOdometer()).toBe(20_020);
  await service.db.query('update maintenance_reports set withdrawn = true, due_date = $1', [
    day(1),
  ]);
  await refresh();
  expect(await replanOdometer()).toBeNull();
});

test('a schedule that was planned before the first reading begins to count at that reading, once', async () => {
  const due = async () => {
    const rows = await service.db.query<{ due_odometer: number }>(
      'select due_odometer from maintenance_reports order by interval_distance',
    );
    return rows.map(({ due_odometer }) => due_odometer);
  };
  await vehicles([id]);
  await service.db.query(
    `insert into maintenance_schedules (provider, title, type, interval_distance, created_at, updated_at)
     values ('DE-ABC', 'Oil', 'service', 15000, now(), now()),
            ('DE-ABC', 'Belt', 'repair', 90000, now(), now())`,
  );
  await service.db.transaction((tx) =>
    planMaintenance({ tx, clock: { now: () => now } }, 'DE-ABC', [id]),
  );
  expect([await due(), await replanOdometer()]).toEqual([[15_000, 90_000], 0]);
  await vehicles([id], 80_000);
  await refresh();
  expect([await due(), await replanOdometer()]).toEqual([[90_000, 90_000], 80_020]);
  await vehicles([id], 200_000);
  await refresh();
  expect(await due()).toEqual([90_000, 90_000]);
  expect((await forecasts()).map(({ status }) => status)).toEqual(['overdue', 'overdue']);
});

test('what does not change is not touched, and a refresh is no change of the report', async () => {
  await vehicles([id], 20_000);
  await report({ odometer: 30_000 });
  await report({ date: day(31) });
  const versions = () =>
    service.db.query(
      `select r.xmin::text as report, s.xmin::text as status, r.updated_at
       from maintenance_reports r join vehicle_statuses s using (provider, vehicle_id) order by r.id`,
    );
  await refresh();
  // A lock changes xmax, a write xmin.
  const before = await versions();
  await refresh();
  expect(await versions()).toEqual(before);
  const [{ updated_at: updated } = { updated_at: '' }] = await service.db.query<{
    updated_at: string;
  }>('select min(updated_at) as updated_at from maintenance_reports');
  await refresh([id], new Date(at(1)));
  expect((await forecasts()).map(({ status }) => status)).toEqual(['planned', 'due_soon']);
  const after = await service.db.query<{ updated_at: string }>(
    'select min(updated_at) as updated_at from maintenance_reports',
  );
  expect(after).toEqual([{ updated_at: updated }]);
});

test('many reports are refreshed in slices', async () => {
  const ids = ['V1', 'V2', 'V3', 'V4', 'V5', 'V6'].map((one) => `DE*ABC*${one}`);
  await vehicles(ids, 20_000);
  await service.db.query(
    `insert into maintenance_reports
       (provider, vehicle_id, source, title, type, due_odometer, created_at, updated_at)
     select provider, id, 'manual', 'Service', 'service', 10000, now(), now()
     from vehicles cross join generate_series(1, case id when $1 then 2100 when $2 then 0 else 900 end)`,
    [ids[2], ids[5]],
  );
  const updated: number[] = [];
  await service.db.transaction((tx) => {
    const query: typeof tx.query = (text, values) => {
      if (text.includes('jsonb_to_recordset') && text.includes('update maintenance_reports'))
        updated.push(JSON.parse(String(values?.[1])).length);
      return tx.query(text, values);
    };
    return refreshMaintenance({ tx: { ...tx, query }, clock: { now: () => now } }, 'DE-ABC', ids);
  });
  expect(updated.reduce((sum, one) => sum + one)).toBe(5_700);
  expect(Math.max(...updated)).toBe(2_100);
  const counted = await service.db.query(
    'select status, count(*) from maintenance_reports group by status',
  );
  expect(counted).toEqual([{ status: 'overdue', count: 5_700 }]);
});

test('once a day every vehicle of every provider is refreshed, two hundred at a time', async () => {
  const ids = Array.from(
    { length: 401 },
    (_, index) => `DE*ABC*V${String(index).padStart(4, '0')}`,
  );
  await vehicles(ids);
  await vehicles(['FR*XYZ*V1'], undefined, 0, french);
  await service.db.query(
    `insert into maintenance_reports (provider, vehicle_id, source, title, type, due_date, created_at, updated_at)
     select provider, id, 'manual', 'Service', 'service', '2020-01-01', now(), now() from vehicles`,
  );
  await service.db.transaction((tx) => service.dependencies.jobs.add(tx, refreshFleet, {}));
  // The day's, one for each provider, and two for the rest of the four hundred and one.
  const [{ providers } = { providers: 0 }] = await service.db.query<{ providers: number }>(
    'select count(*) as providers from providers',
  );
  expect(await service.runJobs()).toBe(1 + providers + 2);
  const counted = await service.db.query(
    'select status, count(*) from maintenance_reports group by status',
  );
  expect(counted).toEqual([{ status: 'overdue', count: 402 }]);
});

test('an estimate of a fleet is followed by plans for all vehicles of its provider, two hundred at a time', async () => {
  const ids = Array.from(
    { length: 401 },
    (_, index) => `DE*ABC*V${String(index).padStart(4, '0')}`,
  );
  const registered = { firstRegistrationDate: '2024-02-29' };
  await vehicles(ids, 20_000, 0, german, registered);
  await vehicles(['FR*XYZ*V1'], 20_000, 0, french, registered);
  await service.db.query(
    `insert into maintenance_schedules (provider, title, type, interval_distance, created_at, updated_at)
     values ('DE-ABC', 'Oil', 'service', 15000, now(), now()),
            ('FR-XYZ', 'Oil', 'service', 15000, now(), now())`,
  );
  const add = () =>
    service.db.transaction((tx) =>
      service.dependencies.jobs.add(tx, estimateFleet, { provider: 'DE-ABC' }),
    );
  await add();
  await add();
  expect(await service.runJobs()).toBe(3);
  const counted = await service.db.query(
    `select provider, source, count(*), min(replan_at_odometer) as replan_odometer
     from maintenance_reports join vehicle_statuses using (provider, vehicle_id)
     group by provider, source order by source`,
  );
  expect(counted).toEqual([
    { provider: 'DE-ABC', source: 'inspection', count: 401, replan_odometer: 20_020 },
    { provider: 'DE-ABC', source: 'schedule', count: 401, replan_odometer: 20_020 },
  ]);
});
