import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicles } from '../vehicles/public.ts';
import type { MaintenanceReport } from './maintenance-report.ts';
import { exampleScheduleRequest, maxSchedules } from './maintenance-schedule.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.runJobs();
  await service.db.query('delete from vehicles');
  await service.db.query('delete from maintenance_schedules');
});

const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const schedules = '/maintenance-schedules';
const create = (body: object) => service.call('POST', schedules, body);

async function fleet(...models: string[]) {
  const lines = models.map((model) => ({
    asset: { id: `DE*ABC*${model}` },
    information: { vendor: 'VW', model, firstRegistrationDate: '2024-02-29' },
    status: { odometer: 45_000 },
  }));
  await writeVehicles(quietWriter(service.db), provider, lines);
}
async function planned(): Promise<MaintenanceReport[]> {
  await service.runJobs();
  return Object.values((await service.call('POST', '/maintenance')).json.items);
}
/** What schedules have planned, without the inspections. */
async function scheduled() {
  const reports = (await planned()).filter(({ source }) => source === 'schedule');
  return reports.map(({ vehicleId, title }) => `${vehicleId} ${title}`).sort();
}

test('a schedule is made (201), read, overwritten (200), deleted (204), and then gone (404)', async () => {
  const made = await create(exampleScheduleRequest);
  expect(made.status).toBe(201);
  const { id, createdAt } = made.json;
  expect(made.json).toEqual({ ...exampleScheduleRequest, id, createdAt, updatedAt: createdAt });
  const path = `${schedules}/${id}`;
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC${path}`);
  expect((await service.call('GET', path)).json).toEqual(made.json);

  const same = await service.call('PUT', path, made.json);
  expect(same.json).toEqual({ ...made.json, updatedAt: same.json.updatedAt });
  const overwritten = await service.call('PUT', path, { title: 'Tyres', intervalMonths: 6 });
  expect(overwritten.status).toBe(200);
  expect(overwritten.json).toEqual({
    id,
    title: 'Tyres',
    type: 'service',
    intervalMonths: 6,
    createdAt,
    updatedAt: overwritten.json.updatedAt,
  });

  expect((await service.call('DELETE', path)).status).toBe(204);
  for (const method of ['DELETE', 'GET']) {
    expect((await service.call(method, path)).status, method).toBe(404);
  }
  expect((await service.call('PUT', path, exampleScheduleRequest)).status).toBe(404);
});

test('a schedule that is overwritten with what it has plans nothing anew', async () => {
  await fleet('ID.3');
  const request = { title: 'Tyres', calendarMonths: [4, 10], vendor: 'VW', notes: 'Winter' };
  const { id } = (await create(request)).json;
  await service.runJobs();
  const put = (body: object) => service.call('PUT', `${schedules}/${id}`, body);
  expect((await put({ ...request, type: 'service', calendarMonths: [10, 4] })).status).toBe(200);
  expect(await service.runJobs()).toBe(0);
  for (const change of [{ calendarMonths: [4, 11] }, { vendor: undefined }, { notes: 'Summer' }]) {
    expect((await put({ ...request, ...change })).status).toBe(200);
    expect(await service.runJobs()).toBeGreaterThan(0);
  }
});

test('what does not fit is 400', async () => {
  for (const [body, pointer] of [
    [{ intervalMonths: 1 }, '/title'],
    [{ title: 'x' }, '/intervalMonths'],
    [{ title: 'x', intervalMonths: 0 }, '/intervalMonths'],
    [{ title: 'x', intervalDistance: 1_000_001 }, '/intervalDistance'],
    [{ title: 'x', intervalMonths: 1, vendor: '' }, '/vendor'],
    [{ title: null, intervalMonths: 1 }, '/title'],
    [{ title: 'x', intervalMonths: null }, '/intervalMonths'],
    [{ title: 'x', intervalMonths: 1, type: 'oil' }, '/type'],
    [{ title: 'x', intervalMonths: 1, dueDate: '2027-01-01' }, '/dueDate'],
    [{ title: 'x', intervalMonths: 1, calendarMonths: [4] }, '/calendarMonths'],
    [{ title: 'x', calendarMonths: [0] }, '/calendarMonths/0'],
    [{ title: 'x', intervalMonths: 1, reminderDays: 1.5 }, '/reminderDays'],
  ] as const) {
    for (const [method, path] of [
      ['POST', schedules],
      ['PUT', `${schedules}/${randomUUID()}`],
    ] as const) {
      const { status, json } = await service.call(method, path, body);
      expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
    }
  }
  expect(await service.runJobs()).toBe(0);
});

test('schedules are listed by title, in pages, filtered and sorted as asked, of one provider', async () => {
  for (const [title, vendor] of [
    ['c', 'VW'],
    ['A', undefined],
    ['b', 'vw'],
  ]) {
    await create({ title, vendor, intervalMonths: 12, notes: `note ${title}` });
  }
  await service.db.query(
    `insert into maintenance_schedules (provider, title, type, interval_months, created_at, updated_at)
     values ('FR-XYZ', 'foreign', 'other', 1, now(), now())`,
  );
  const titles = async (body: object) => {
    const { json } = await service.call('POST', `${schedules}/search`, body);
    return json.items.map(({ title }: { title: string }) => title);
  };
  expect(await titles({})).toEqual(['A', 'b', 'c']);
  expect(await titles({ pagination: { pageSize: 2, pageNumber: 1 } })).toEqual(['c']);
  expect(await titles({ filters: [{ field: 'vendor', value: 'VW' }] })).toEqual(['b', 'c']);
  expect(await titles({ filters: [{ value: 'NOTE B' }] })).toEqual(['b']);
  expect(await titles({ sorting: [{ field: 'title', direction: 'desc' }] })).toEqual([
    'c',
    'b',
    'A',
  ]);
});

test('a schedule plans for the vehicles that it is for, also for those that come later', async () => {
  await fleet('Golf', 'Polo');
  await create({ title: 'All', intervalMonths: 12 });
  const { json: golfs } = await create({ title: 'Golfs', model: 'GOLF', intervalDistance: 500 });
  expect(await scheduled()).toEqual(['DE*ABC*Golf All', 'DE*ABC*Golf Golfs', 'DE*ABC*Polo All']);

  await service.call('PUT', '/DE*ABC*late', { information: { model: 'Golf' } });
  expect(await scheduled()).toHaveLength(5);

  await service.call('PUT', `${schedules}/${golfs.id}`, {
    title: 'Polos',
    model: 'polo',
    intervalDistance: 500,
  });
  expect(await scheduled()).toEqual([
    'DE*ABC*Golf All',
    'DE*ABC*Polo All',
    'DE*ABC*Polo Polos',
    'DE*ABC*late All',
  ]);
  await service.call('DELETE', `${schedules}/${golfs.id}`);
  expect(await scheduled()).toHaveLength(3);
});

test('a vehicle that is put out of service loses what schedules plan, and has it back afterwards', async () => {
  await create({ title: 'All', intervalMonths: 12 });
  const put = (active: boolean) =>
    service.call('PUT', '/DE*ABC*V1', {
      asset: { active },
      information: { firstRegistrationDate: '2024-02-29' },
    });
  await put(true);
  const before = await planned();
  expect(before.map(({ source }) => source).sort()).toEqual(['inspection', 'schedule']);
  await put(false);
  expect(await planned()).toEqual([]);
  await put(true);
  const undated = (reports: MaintenanceReport[]) =>
    reports.map(({ updatedAt, ...report }) => report);
  expect(undated(await planned())).toEqual(undated(before));
});

test('another provider’s schedule is not there, and plans nothing here', async () => {
  await fleet('Golf');
  const id = randomUUID();
  await service.db.query(
    `insert into maintenance_schedules (provider, id, title, type, interval_months, created_at, updated_at)
     values ('FR-XYZ', $1, 'foreign', 'other', 1, now(), now())`,
    [id],
  );
  for (const path of [`${schedules}/${id}`, `${schedules}/1`]) {
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await service.call('DELETE', path)).status).toBe(404);
    expect((await service.call('PUT', path, exampleScheduleRequest)).status).toBe(404);
  }
  await create({ title: 'mine', intervalMonths: 1 });
  expect(await scheduled()).toEqual(['DE*ABC*Golf mine']);
});

test('a reminder by distance comes with the message that reaches it', async () => {
  await fleet('ID.3');
  await create({ title: 'Oil', intervalDistance: 11_300, reminderDistance: 100, reminderDays: 0 });
  await service.runJobs();
  for (const [hoursAgo, odometer, status] of [
    [3, 45_099, 'planned'],
    [1, 45_100, 'due_soon'],
  ] as const) {
    const timestamp = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    const message = { timestamp, odometer };
    expect((await service.call('PUT', '/DE*ABC*ID.3/status', message)).status).toBe(200);
    const reports = (await planned()).filter(({ source }) => source === 'schedule');
    expect(reports, String(odometer)).toMatchObject([{ dueOdometer: 45_200, status }]);
  }
});

test('a provider has no more than it may have', async () => {
  await service.db.query(
    `insert into maintenance_schedules (provider, title, type, interval_months, created_at, updated_at)
     select one.provider, 'Service', 'service', 12, now(), now()
     from (values ('DE-ABC', $1::integer - 1), ('FR-XYZ', $1)) as one (provider, schedules)
     cross join generate_series(1, one.schedules)`,
    [maxSchedules],
  );
  const answers = await Promise.all([1, 2, 3].map(() => create(exampleScheduleRequest)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.json.type).toContain('too-many-schedules');
  await service.call(
    'DELETE',
    `${schedules}/${answers.find((one) => one.status === 201)?.json.id}`,
  );
  expect((await create(exampleScheduleRequest)).status).toBe(201);
});
