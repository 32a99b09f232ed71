import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { maintainPartitions } from './maintain-partitions.ts';

let service: TestService;
let now = new Date('2026-11-15T12:00:00.000Z');
const vehicle = '/DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await upkeep();
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2026-11-15T12:00:00.000Z');
  for (const table of ['vehicles', 'vehicle_history', 'provider_profiles'])
    await service.db.query(`delete from ${table}`);
  await service.call('PUT', vehicle, { information: { trackGeolocation: true } });
});

const times = [
  '2026-06-30T23:00:00Z',
  '2026-10-16T11:59:59Z',
  '2026-10-16T12:00:00Z',
  '2026-11-15T11:00:00Z',
];

async function report(path: string): Promise<void> {
  for (const [index, timestamp] of times.entries()) {
    const message = { timestamp, odometer: 1_000 + index, fuelLevel: 50 };
    const location = { lat: 53.5, lng: 10 };
    const { status } = await service.call('PUT', path, { ...message, location });
    expect(status).toBe(200);
  }
}

async function upkeep(): Promise<void> {
  await service.db.transaction((tx) => service.dependencies.jobs.add(tx, maintainPartitions, {}));
  await service.runJobs();
}

const retain = (positionRetentionDays?: number) =>
  service.call('PUT', '/profile', { name: 'Fleet', positionRetentionDays });

const history = (provider = 'DE-ABC') =>
  service.db.query<{ odometer: number; level: number; position: number | null }>(
    `select odometer, fuel_level as level, lat as position from vehicle_history
     where provider = $1 order by time`,
    [provider],
  );
const positions = async () => (await history()).map(({ position }) => position);

test('the upkeep erases positions that are older than the retention, and keeps odometer and level', async () => {
  await report(`${vehicle}/status`);
  await retain(30);
  await upkeep();
  expect(await history()).toEqual([
    { odometer: 1_000, level: 50, position: null },
    { odometer: 1_001, level: 50, position: null },
    { odometer: 1_002, level: 50, position: 53.5 },
    { odometer: 1_003, level: 50, position: 53.5 },
  ]);
  now = new Date('2026-11-16T12:00:00.000Z');
  await upkeep();
  expect(await positions()).toEqual([null, null, null, 53.5]);
});

test('a month that cannot be dropped keeps no position from being erased', async () => {
  await report(`${vehicle}/status`);
  await retain(30);
  const { dependencies } = service;
  const owner = { ...service.owner, session: () => Promise.reject(new Error('refused')) };
  await expect(maintainPartitions.run({}, { ...dependencies, owner })).rejects.toThrow(
    'partitions',
  );
  await service.runJobs();
  expect(await positions()).toEqual([null, null, 53.5, 53.5]);
});

test('without a retention all positions stay', async () => {
  await report(`${vehicle}/status`);
  await upkeep();
  await retain();
  await upkeep();
  expect(await positions()).toEqual([53.5, 53.5, 53.5, 53.5]);
});

test('a position that comes late is erased by the next upkeep', async () => {
  await retain(30);
  await upkeep();
  await report(`${vehicle}/status`);
  await upkeep();
  expect(await positions()).toEqual([null, null, 53.5, 53.5]);
});

test('the retention of a provider does not concern another', async () => {
  await report(`${vehicle}/status`);
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, fuel_level, lat, lng)
     select 'FR-XYZ', vehicle_id, time, odometer, fuel_level, lat, lng from vehicle_history`,
  );
  await retain(1);
  await upkeep();
  expect(await positions()).toEqual([null, null, null, 53.5]);
  expect((await history('FR-XYZ')).map(({ position }) => position)).toEqual([
    53.5, 53.5, 53.5, 53.5,
  ]);
});
