import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const [first, second] = ['DE*ABC*T0000', 'DE*ABC*T0007'] as const;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => new Date('2026-11-15T12:00:00Z') } });
  await makeFleet(service.db, 'DE', 'ABC', 2);
  await service.db.query('delete from charging_sessions');
  await record(first, 'a', '2026-10-31T22:30:00Z', 10.5);
  // In Germany it is November already.
  await record(first, 'b', '2026-10-31T23:30:00Z', 20);
  await record(second, 'c', '2026-11-02T10:00:00Z', 5);
  await record(second, 'd', '2026-11-03T10:00:00Z', undefined);
  await record(second, 'e', '2025-11-30T10:00:00Z', 99);
});
afterAll(() => service.stop());

async function record(
  vehicleId: string,
  id: string,
  fromDatetime: string,
  chargedKWh: number | undefined,
) {
  const toDatetime = new Date(Date.parse(fromDatetime) + 3_600_000).toISOString();
  const session = { fromDatetime, toDatetime, ...(chargedKWh !== undefined && { chargedKWh }) };
  const { status } = await service.call('PUT', `/${vehicleId}/charging/${id}`, session);
  expect(status).toBe(201);
}

const totals = (body?: object) => service.call('POST', '/charging/totals', body);

test('energy is summed by the months of the time zone, of the last twelve unless asked otherwise', async () => {
  const { status, json } = await totals();
  expect(status).toBe(200);
  expect(json.items).toEqual([
    { month: '2026-10', sessionCount: 1, chargedKWh: 10.5 },
    { month: '2026-11', sessionCount: 3, chargedKWh: 25 },
  ]);
  expect(json.pagination.totalEntries).toBe(2);
});

test('energy is summed by day, by vehicle, by both, and as a whole', async () => {
  const period = { from: '2025-11-01', to: '2026-11-30' };
  const vehicles = await totals({ ...period, groupBy: ['vehicle'] });
  expect(vehicles.json.items).toEqual([
    { vehicleId: first, sessionCount: 2, chargedKWh: 30.5 },
    { vehicleId: second, sessionCount: 3, chargedKWh: 104 },
  ]);
  const days = await totals({ from: '2026-10-31', to: '2026-11-01', groupBy: ['day'] });
  expect(days.json.items).toEqual([
    { day: '2026-10-31', sessionCount: 1, chargedKWh: 10.5 },
    { day: '2026-11-01', sessionCount: 1, chargedKWh: 20 },
  ]);
  const whole = await totals({ ...period, groupBy: [] });
  expect(whole.json.items).toEqual([{ sessionCount: 5, chargedKWh: 134.5 }]);
  const both = { ...period, groupBy: ['month', 'vehicle'] };
  const page = await totals({ ...both, pagination: { pageSize: 1, pageNumber: 1 } });
  expect(page.json.items).toEqual([
    { month: '2026-10', vehicleId: first, sessionCount: 1, chargedKWh: 10.5 },
  ]);
  expect(page.json.pagination.totalEntries).toBe(4);
});

test('energy is summed in time zones that PostgreSQL does not know', async () => {
  await service.call('PUT', '/profile', { name: 'Fleet' });
  await service.db.query(`update provider_profiles set time_zone = 'ECT'`);
  const { status, json } = await totals({ groupBy: ['month', 'day'] });
  await service.db.query('update provider_profiles set time_zone = null');
  expect(status).toBe(200);
  expect(json.items).toMatchObject([
    { month: '2026-10', day: '2026-10-31', chargedKWh: 10.5 },
    { month: '2026-11', day: '2026-11-01', chargedKWh: 20 },
    { month: '2026-11', day: '2026-11-02', chargedKWh: 5 },
    { month: '2026-11', day: '2026-11-03', chargedKWh: 0 },
  ]);
});

test('a period that begins within a month has the rest of it', async () => {
  const { json } = await totals({ from: '2026-10-31', to: '2026-11-02', groupBy: ['month'] });
  expect(json.items).toEqual([
    { month: '2026-10', sessionCount: 1, chargedKWh: 10.5 },
    { month: '2026-11', sessionCount: 2, chargedKWh: 25 },
  ]);
});

test('a record that takes the place of a detected session is counted once, and others see none of it', async () => {
  await service.db.query(
    `update charging_sessions set superseded = true where vehicle_id = $1 and id = 'c'`,
    [second],
  );
  const { json } = await totals({ from: '2026-11-01', to: '2026-11-30', groupBy: [] });
  expect(json.items).toEqual([{ sessionCount: 2, chargedKWh: 20 }]);
});

test('a period that would begin before the calendar begins with it', async () => {
  const { status, json } = await totals({ to: '0001-05-31' });
  expect([status, json.items]).toEqual([200, []]);
});

test('a period that ends before it begins is refused', async () => {
  const { status, json } = await totals({ from: '2026-12-01', to: '2026-11-01' });
  expect(status).toBe(400);
  expect(json.errors[0].pointer).toBe('/from');
});

test('any energy that is stored is summed', async () => {
  await record(first, 'huge', '2024-06-01T10:00:00Z', 10);
  await record(second, 'huge', '2024-06-02T10:00:00Z', 10);
  // As differences of a meter may be.
  await service.db.query(`update charging_sessions set charged_kwh = 1.7e308 where id = 'huge'`);
  const { status } = await totals({ from: '2024-06-01', to: '2024-06-30' });
  expect(status).toBe(200);
});
