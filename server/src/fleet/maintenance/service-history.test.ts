import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dateIn } from '../../platform/time/time-zone.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** What `done` leaves behind: the odometer of the day, and the entry in the logbook. */

let service: TestService;
const vehicle = '/DE*ABC*V1';
const maintenance = `${vehicle}/maintenance`;
const dayMs = 86_400_000;
const day = (days: number) => dateIn('Europe/Berlin', Date.now() + days * dayMs);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('DELETE', vehicle);
  await service.call('PUT', vehicle, { information: { firstRegistrationDate: '2024-02-29' } });
});

async function reads(date: string, odometer: number) {
  const { status } = await service.call('PUT', `${vehicle}/status`, {
    timestamp: `${date}T12:00:00Z`,
    odometer,
  });
  expect(status).toBe(200);
}

async function create(body: object) {
  const { json } = await service.call('POST', maintenance, body);
  return { id: json.id, path: `${maintenance}/${json.id}` };
}
const done = (path: string, body: object = {}) => service.call('POST', `${path}/done`, body);
const logbook = async () => (await service.call('GET', `${vehicle}/logbook`)).json.items;

test.each([
  [-20, 44_000, 'a reading of that day'],
  [-15, 44_000, 'the last reading before it'],
  [-40, 43_000, 'the first reading, where the history begins later'],
  [0, 45_000, 'the present one, today'],
])('done %i days from today is done at %i km: %s', async (days, odometer) => {
  await reads(day(-30), 43_000);
  await reads(day(-20), 44_000);
  await reads(day(-1), 45_000);
  const { path } = await create({ title: 'Service', intervalDistance: 15_000 });
  const { json } = await done(path, { date: day(days) });
  expect(json).toMatchObject({
    lastDoneDate: day(days),
    lastDoneOdometer: odometer,
    dueOdometer: odometer + 15_000,
  });
  expect(await logbook()).toMatchObject([{ date: day(days), odometer }]);
});

test('an odometer that is said counts, whatever the history has', async () => {
  await reads(day(-20), 44_000);
  const { path } = await create({ title: 'Service', intervalDistance: 15_000 });
  const { json } = await done(path, { date: day(-20), odometer: 43_900.5 });
  expect(json).toMatchObject({ lastDoneOdometer: 43_900.5, dueOdometer: 58_900.5 });
});

test('done is written into the logbook, with cost, odometer, files and a link to the report', async () => {
  const { id, path } = await create({ title: 'Big service', intervalMonths: 12, notes: 'plan' });
  const answer = await done(path, {
    date: day(-3),
    odometer: 45_180,
    notes: 'Pads at 4 mm.',
    cost: { amount: 28_450, currency: 'EUR' },
    files: [{ filename: 'invoice.pdf', contentType: 'application/pdf' }],
  });
  expect(answer.status).toBe(200);
  const [entry] = await logbook();
  expect(entry).toEqual({
    id: entry.id,
    category: 'service',
    title: 'Big service',
    date: day(-3),
    odometer: 45_180,
    description: 'Pads at 4 mm.',
    cost: { amount: 28_450, currency: 'EUR' },
    blobs: [{ uuid: expect.any(String), filename: 'invoice.pdf', uploaded: false }],
    maintenanceReportId: id,
    createdAt: entry.createdAt,
    updatedAt: entry.createdAt,
  });
  expect(answer.headers.location).toBe(`/api/fleets/v1/DE/ABC${vehicle}/logbook/${entry.id}`);
  const filters = [{ field: 'maintenanceReportId', value: id }];
  const found = await service.call('POST', `${vehicle}/logbook/search`, { filters });
  expect(found.json.items).toEqual([entry]);

  const bytes = `${vehicle}/blobs/logbook/${entry.id}/${entry.blobs[0].uuid}`;
  const upload = await service.send({
    method: 'PUT',
    path: `/api/fleets/v1/DE/ABC${bytes}`,
    body: '%PDF-1.7',
    headers: {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'application/pdf',
    },
  });
  expect(upload.status).toBeLessThan(300);
});

test('a report without an interval stays in the history, and its link can be followed', async () => {
  const { id, path } = await create({ title: 'Winter tyres', type: 'tyres', dueDate: day(9) });
  const answer = await done(path, { cost: { amount: 9_900, currency: 'EUR' } });
  expect([answer.status, answer.text]).toEqual([204, '']);
  const [entry] = await logbook();
  expect(entry).toMatchObject({
    category: 'service',
    title: 'Winter tyres',
    date: day(0),
    cost: { amount: 9_900, currency: 'EUR' },
    tags: ['tyres'],
    maintenanceReportId: id,
  });
  expect(answer.headers.location).toBe(`/api/fleets/v1/DE/ABC${vehicle}/logbook/${entry.id}`);
  const { json } = await service.call('GET', path);
  expect(json).toMatchObject({ id, status: 'done', lastDoneDate: day(0) });
});

test('what comes from a schedule, from the vehicle and from the inspection is written, too', async () => {
  await service.call('PUT', `${vehicle}/status`, {
    timestamp: new Date().toISOString(),
    nextServiceDate: day(10),
  });
  await service.call('PUT', `${vehicle}/inspection`, {});
  const schedule = { title: 'Safety check', intervalMonths: 12 };
  const { json: made } = await service.call('POST', '/maintenance-schedules', schedule);
  await service.runJobs();
  const { json } = await service.call('GET', maintenance);
  const sources = json.items.map(({ source }: { source: string }) => source);
  expect(sources.toSorted()).toEqual(['inspection', 'schedule', 'vehicle']);
  for (const { id } of json.items) await done(`${maintenance}/${id}`);
  const titles = (await logbook()).map(({ title }: { title: string }) => title);
  expect(titles.toSorted()).toEqual([
    'Periodic inspection',
    'Safety check',
    'Service due by the vehicle',
  ]);

  // The history outlives the plan.
  await service.call('DELETE', `/maintenance-schedules/${made.id}`);
  expect(await logbook()).toHaveLength(3);
});

test('said again of the same day it is the same entry, which keeps what it had; of another day, another', async () => {
  const { path } = await create({ title: 'Service', intervalMonths: 12 });
  const invoice = { filename: 'invoice.pdf' };
  await done(path, { cost: { amount: 100, currency: 'EUR' }, files: [invoice] });
  await Promise.all(
    Array.from({ length: 5 }, () =>
      done(path, { odometer: 5, files: [invoice, { filename: 'photo.png' }] }),
    ),
  );
  const entries = await logbook();
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ odometer: 5, cost: { amount: 100, currency: 'EUR' } });
  expect(entries[0].blobs.map(({ filename }: { filename: string }) => filename)).toEqual([
    'invoice.pdf',
    'photo.png',
  ]);
  await done(path, { date: day(-400) });
  expect(await logbook()).toHaveLength(2);
});

test('said again of the same day, what was given or corrected stays: the odometer, the next due and the title', async () => {
  await reads(day(-1), 12_400);
  const { path } = await create({ title: 'Oil', intervalDistance: 15_000 });
  const { headers } = await done(path, { odometer: 11_000 });
  const entryPath = String(headers.location).replace('/api/fleets/v1/DE/ABC', '');
  const { json: entry } = await service.call('GET', entryPath);
  await service.call('PUT', entryPath, { ...entry, title: 'Oil and filter', odometer: 11_050 });
  const { json } = await done(path, { cost: { amount: 9_900, currency: 'EUR' } });
  expect(json).toMatchObject({ lastDoneOdometer: 11_000, dueOdometer: 26_000 });
  expect((await service.call('GET', entryPath)).json).toMatchObject({
    title: 'Oil and filter',
    odometer: 11_050,
    cost: { amount: 9_900, currency: 'EUR' },
  });
  await done(path, { odometer: 11_100 });
  expect((await service.call('GET', entryPath)).json).toMatchObject({ odometer: 11_100 });
});

test('said again of the same day where no odometer is known, it is due as it was', async () => {
  const { path } = await create({ title: 'Oil', intervalDistance: 15_000, dueOdometer: 30_000 });
  const { json: once } = await done(path);
  expect(once.dueOdometer).toBe(45_000);
  const { json: again } = await done(path, { cost: { amount: 9_900, currency: 'EUR' } });
  expect(again.dueOdometer).toBe(45_000);
});

test('an inspection whose day was recorded otherwise has the odometer of that day, not of the one before', async () => {
  await reads(day(-20), 44_000);
  await reads(day(-1), 45_000);
  await service.call('PUT', `${vehicle}/inspection`, {});
  const [{ id }] = (await service.call('GET', maintenance)).json.items;
  await done(`${maintenance}/${id}`, { date: day(-20) });
  await service.call('PUT', `${vehicle}/inspection`, { lastInspectionDate: day(-1) });
  const { json } = await done(`${maintenance}/${id}`, { date: day(-1) });
  expect(json).toMatchObject({ lastDoneDate: day(-1), lastDoneOdometer: 45_000 });
});

test('of an earlier day than the last, it is an entry of the logbook and leaves the report as it is', async () => {
  const { path } = await create({ title: 'Oil', intervalMonths: 12, intervalDistance: 15_000 });
  const { json: last } = await done(path, { date: day(-10), odometer: 49_000, notes: 'last' });
  expect(last).toMatchObject({ lastDoneDate: day(-10), dueOdometer: 64_000 });
  const earlier = await done(path, { date: day(-400), odometer: 34_000, notes: 'earlier' });
  expect([earlier.status, earlier.json]).toEqual([200, last]);
  expect((await service.call('GET', path)).json).toEqual(last);
  expect(await logbook()).toMatchObject([
    { date: day(-10), odometer: 49_000, description: 'last' },
    { date: day(-400), odometer: 34_000, description: 'earlier' },
  ]);
  const corrected = { title: 'Oil', intervalMonths: 12, lastDoneDate: day(-400) };
  expect((await service.call('PUT', path, corrected)).json.lastDoneDate).toBe(day(-400));
});

test('an inspection of an earlier day than the last is an entry of the logbook and leaves the estimate as it is', async () => {
  await service.call('PUT', `${vehicle}/inspection`, { lastInspectionDate: day(-30) });
  const { json: estimate } = await service.call('GET', `${vehicle}/inspection`);
  const [report] = (await service.call('GET', maintenance)).json.items;
  const { status, json } = await done(`${maintenance}/${report.id}`, { date: day(-700) });
  expect([status, json]).toEqual([200, report]);
  expect((await service.call('GET', `${vehicle}/inspection`)).json).toMatchObject({
    estimatedDate: estimate.estimatedDate,
    basis: { lastInspectionDate: day(-30) },
  });
  expect(await logbook()).toMatchObject([{ date: day(-700), title: 'Periodic inspection' }]);
});

test('an overwrite of the entry keeps its link, and cannot make one', async () => {
  const { id, path } = await create({ title: 'Service', intervalMonths: 12 });
  const { headers } = await done(path);
  const entryPath = String(headers.location).replace('/api/fleets/v1/DE/ABC', '');
  const { json } = await service.call('GET', entryPath);
  const changed = await service.call('PUT', entryPath, {
    ...json,
    title: 'Other',
    maintenanceReportId: '00000000-0000-4000-8000-000000000000',
  });
  expect(changed.json).toMatchObject({ title: 'Other', maintenanceReportId: id });
});

test('what is refused leaves no entry', async () => {
  const { path } = await create({ title: 'Service', intervalMonths: 12 });
  expect((await done(path, { date: day(1) })).status).toBe(400);
  const stale = await service.call('POST', `${path}/done`, {}, { 'if-match': '"7"' });
  expect(stale.status).toBe(412);
  expect(await logbook()).toEqual([]);
});
