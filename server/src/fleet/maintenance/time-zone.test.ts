import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { createPartitions } from '../telemetry/public.ts';
import { refreshFleet, refreshNewDates } from './refresh-fleet.ts';

/** Dates of planning are those of the calendar in the time zone of the provider. */

let service: TestService;
let now: Date;
const maintenance = '/DE*ABC*V1/maintenance';

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await createPartitions(service.owner, 30, new Date('2031-01-31'));
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-01-31T12:00:00.000Z');
  for (const table of ['vehicles', 'provider_profiles', 'pgboss.job'])
    await service.db.query(`delete from ${table}`);
  await service.db.query('update providers set maintenance_refreshed_on = null');
  await service.call('PUT', '/DE*ABC*V1', { information: {} });
});

const setZone = (timeZone: string) => service.call('PUT', '/profile', { name: 'Fleet', timeZone });
const create = async (report: object) =>
  (await service.call('POST', maintenance, { title: 'Service', ...report })).json;
const statusOf = async (id: string) =>
  (await service.call('GET', `${maintenance}/${id}`)).json.status;

async function refreshNow(time: string): Promise<void> {
  now = new Date(time);
  const { jobs } = service.dependencies;
  await service.db.transaction((tx) => jobs.add(tx, refreshNewDates, {}));
  await service.runJobs();
}

test('an interval begins today, which may be tomorrow or yesterday in UTC', async () => {
  for (const [timeZone, dueDate] of [
    ['Pacific/Kiritimati', '2031-03-01'],
    ['Pacific/Honolulu', '2031-02-28'],
    ['Pacific/Pago_Pago', '2031-02-28'],
  ] as const) {
    await setZone(timeZone);
    now = new Date('2031-01-31T10:30:00.000Z');
    expect((await create({ intervalMonths: 1 })).dueDate, timeZone).toBe(dueDate);
  }
  now = new Date('2031-02-01T00:00:00.000Z');
  expect((await create({ intervalMonths: 1 })).dueDate).toBe('2031-02-28');
});

test('what is done without a date was done today, and no later date is accepted', async () => {
  await setZone('America/New_York');
  now = new Date('2031-02-08T04:59:59.000Z');
  const { id } = await create({ dueDate: '2031-02-10', intervalMonths: 12 });
  const done = (body: object) => service.call('POST', `${maintenance}/${id}/done`, body);
  const refused = await done({ date: '2031-02-08' });
  expect([refused.status, refused.json.errors]).toEqual([
    400,
    [{ pointer: '/date', detail: 'date must not be in the future: today is 2031-02-07.' }],
  ]);
  expect((await done({})).json.lastDoneDate).toBe('2031-02-07');
  const later = { title: 'x', dueDate: '2032-01-01', lastDoneDate: '2031-02-08' };
  expect((await service.call('POST', maintenance, later)).status).toBe(400);
  expect((await service.call('PUT', `${maintenance}/${id}`, later)).status).toBe(400);
});

test('what was done on a past day has the odometer of the end of that day in the time zone', async () => {
  await setZone('America/New_York');
  for (const [timestamp, odometer] of [
    ['2031-01-29T20:00:00Z', 1_000],
    ['2031-01-30T04:30:00Z', 1_100],
    ['2031-01-30T05:30:00Z', 1_200],
  ])
    await service.call('PUT', '/DE*ABC*V1/status', { timestamp, odometer });
  const { id } = await create({ dueDate: '2031-02-10', intervalMonths: 12 });
  const done = await service.call('POST', `${maintenance}/${id}/done`, { date: '2031-01-29' });
  expect(done.json).toMatchObject({ lastDoneDate: '2031-01-29', lastDoneOdometer: 1_100 });
});

test('a report is overdue within the hour in which the day after it begins in the time zone', async () => {
  await setZone('America/New_York');
  const { id } = await create({ dueDate: '2031-02-10' });
  await refreshNow('2031-02-11T04:03:00.000Z');
  expect(await statusOf(id)).toBe('due_soon');
  await refreshNow('2031-02-11T05:03:00.000Z');
  expect(await statusOf(id)).toBe('overdue');
});

test.each(['08:03', '20:03'])(
  'a service that was down when the day began in the time zone makes up for it at %s',
  async (time) => {
    await setZone('America/New_York');
    const { id } = await create({ dueDate: '2031-02-10' });
    // Those of the change of the time zone, which would also refresh it.
    await service.runJobs();
    await refreshNow(`2031-02-11T${time}:00.000Z`);
    expect(await statusOf(id)).toBe('overdue');
  },
);

test('a fleet is refreshed once for each date in the time zone, however often it is looked for', async () => {
  await setZone('America/New_York');
  const refreshes: number[] = [];
  for (const time of ['10T12', '11T04', '11T05', '11T06', '11T07', '11T08', '12T04', '12T05']) {
    await refreshNow(`2031-02-${time}:03:00.000Z`);
    const done = await service.db.query(
      `select from pgboss.job where name = $1 and data ->> 'provider' = 'DE-ABC'`,
      [refreshFleet.name],
    );
    refreshes.push(done.length);
  }
  expect(refreshes).toEqual([1, 1, 2, 2, 2, 2, 2, 3]);
});

test('what is reached already is forecast for today in the time zone', async () => {
  for (const timestamp of ['2031-01-21T12:00:00Z', '2031-01-31T12:00:00Z'])
    await service.call('PUT', '/DE*ABC*V1/status', { timestamp, odometer: 1_000 });
  now = new Date('2031-01-31T15:30:00.000Z');
  for (const [timeZone, today] of [
    ['Asia/Tokyo', '2031-02-01'],
    ['UTC', '2031-01-31'],
  ] as const) {
    await setZone(timeZone);
    expect((await create({ dueOdometer: 1_000 })).forecastDate, timeZone).toBe(today);
  }
});

test('another time zone has the statuses of the fleet computed again', async () => {
  now = new Date('2031-02-10T22:30:00.000Z');
  const { id } = await create({ dueDate: '2031-02-10' });
  expect(await statusOf(id)).toBe('due_soon');
  await setZone('Asia/Tokyo');
  await service.runJobs();
  expect(await statusOf(id)).toBe('overdue');
});
