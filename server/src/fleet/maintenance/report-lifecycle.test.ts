import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMonths } from '../../platform/time/months.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicles } from '../vehicles/public.ts';
import { exampleRequest, maxReportsOfVehicle, types } from './maintenance-report.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const german = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const french = { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' };
const vehicleId = 'DE*ABC*V1';
const maintenance = `/${vehicleId}/maintenance`;
const dayMs = 86_400_000;
const day = (days: number) => dateIn('Europe/Berlin', Date.now() + days * dayMs);

beforeEach(async () => {
  await service.db.query('delete from vehicles');
  await vehicle({ odometer: 45_000 });
});

async function vehicle(status: object, id = vehicleId, provider = german) {
  const information = { firstRegistrationDate: '2024-02-29' };
  await writeVehicles(quietWriter(service.db), provider, [{ asset: { id }, information, status }]);
}

async function create(body: object) {
  const answer = await service.call('POST', maintenance, body);
  return { ...answer, path: `${maintenance}/${answer.json.id}` };
}
const done = (path: string, body?: object) => service.call('POST', `${path}/done`, body);
const list = async () => (await service.call('GET', maintenance)).json.items;

test('a report is made (201, Location), read, listed, overwritten (200), deleted (204), and then gone (404)', async () => {
  const made = await create(exampleRequest);
  expect(made.status).toBe(201);
  const { id, createdAt, status } = made.json;
  expect(made.json).toEqual({
    ...exampleRequest,
    id,
    vehicleId,
    status,
    forecastDate: day(375),
    source: 'manual',
    createdAt,
    updatedAt: createdAt,
  });
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC/DE*ABC*V1/maintenance/${id}`);
  expect((await service.call('GET', made.path)).json).toEqual(made.json);
  expect(await list()).toEqual([made.json]);

  const changed = { title: 'Other', type: 'repair', dueDate: day(3) };
  const overwritten = await service.call('PUT', made.path, changed);
  expect(overwritten.status).toBe(200);
  expect(overwritten.json).toEqual({
    ...changed,
    id,
    vehicleId,
    status: 'due_soon',
    source: 'manual',
    createdAt,
    updatedAt: overwritten.json.updatedAt,
  });
  expect(overwritten.json.updatedAt >= createdAt).toBe(true);

  expect((await service.call('DELETE', made.path)).status).toBe(204);
  for (const [method, path, body] of [
    ['DELETE', made.path],
    ['GET', made.path],
    ['PUT', made.path, changed],
    ['POST', `${made.path}/done`, {}],
  ] as const) {
    expect((await service.call(method, path, body)).status, method).toBe(404);
  }
  expect(await list()).toEqual([]);
});

test('what was read can be sent back as it is; what the service makes is ignored', async () => {
  const { path, json } = await create(exampleRequest);
  const back = {
    ...json,
    id: 'x',
    vehicleId: 7,
    status: 'overdue',
    forecastDate: 'soon',
    source: 'schedule',
    createdAt: null,
    updatedAt: [],
  };
  for (const body of [json, back]) {
    const { json: now } = await service.call('PUT', path, body);
    expect(now).toEqual({ ...json, updatedAt: now.updatedAt });
  }
  expect((await create(back)).json).toMatchObject({ vehicleId, source: 'manual' });
});

describe('when it is due', () => {
  test.each<[string, object, object]>([
    ['as it is said', { dueDate: '2027-01-31' }, { dueDate: '2027-01-31' }],
    ['an interval from today', { intervalMonths: 7 }, { dueDate: addMonths(day(0), 7) }],
    ['an interval from the odometer', { intervalDistance: 500 }, { dueOdometer: 45_500 }],
    [
      'an interval from the last time',
      { intervalMonths: 1, intervalDistance: 500, lastDoneDate: '2025-01-31', lastDoneOdometer: 9 },
      { dueDate: '2025-02-28', dueOdometer: 509 },
    ],
    ['a leap day', { intervalMonths: 48, lastDoneDate: '2024-02-29' }, { dueDate: '2028-02-29' }],
    [
      'as it is said by one, and by the interval of the other',
      { dueDate: '2027-01-31', intervalMonths: 12, intervalDistance: 500 },
      { dueDate: '2027-01-31', dueOdometer: 45_500 },
    ],
  ])('is %s', async (_what, request, due) => {
    const { json, path } = await create({ title: 'x', ...request });
    expect(json).toMatchObject({ type: 'service', ...request, ...due });
    expect('dueDate' in json).toBe('dueDate' in due);
    expect('dueOdometer' in json).toBe('dueOdometer' in due);
    const { json: overwritten } = await service.call('PUT', path, { title: 'x', ...request });
    expect(overwritten).toEqual({ ...json, updatedAt: overwritten.updatedAt });
  });

  test('is an interval by itself where no odometer is known, and without a forecast', async () => {
    await vehicle({});
    const { json } = await create({ title: 'x', intervalDistance: 500 });
    expect(json).toMatchObject({ dueOdometer: 500, status: 'planned' });
    expect('forecastDate' in json).toBe(false);
  });
});

test('every kind and every bound is kept as it was sent', async () => {
  for (const values of [
    ...types.map((type) => ({ type })),
    { title: '🚗'.repeat(200), notes: 'ä'.repeat(10_000) },
    { notes: '' },
    { dueDate: '0001-01-01' },
    { dueDate: '9999-12-31' },
    { dueOdometer: 0 },
    { dueOdometer: 11_000_000 },
    { intervalMonths: 1_200, intervalDistance: 1_000_000, lastDoneOdometer: 10_000_000 },
    { lastDoneDate: day(0) },
    { calendarMonths: [4, 10], reminderDays: 0, reminderDistance: 0 },
  ]) {
    const body = { title: 'x', dueDate: '2027-01-01', ...values };
    const { status, json, path } = await create(body);
    expect(status, JSON.stringify(values).slice(0, 60)).toBe(201);
    expect(json).toMatchObject(body);
    expect((await service.call('PUT', path, json)).status).toBe(200);
  }
});

test('a missing or impossible value is refused and named, and nothing is written', async () => {
  const { path, json } = await create(exampleRequest);
  const due = { title: 'x', dueDate: '2027-01-01' };
  for (const [body, pointer, detail = ''] of [
    [{ dueDate: '2027-01-01' }, '/title', 'required'],
    [{ title: 'x' }, '/dueDate', 'dueDate, dueOdometer, intervalMonths and intervalDistance'],
    [{ title: 'x', calendarMonths: [] }, '/calendarMonths', 'at least 1'],
    [{ title: 'x', calendarMonths: [13] }, '/calendarMonths/0', 'from 1 to 12'],
    [{ title: 'x', calendarMonths: [4, 4] }, '/calendarMonths', ''],
    [{ title: 'x', calendarMonths: [4], intervalMonths: 6 }, '/calendarMonths', 'leave out one'],
    [{ ...due, reminderDays: -1 }, '/reminderDays', 'from 0'],
    [{ title: 'x', lastDoneDate: '2020-01-01' }, '/dueDate', 'required'],
    [{ ...due, title: '' }, '/title', '1 to 200'],
    [{ ...due, type: 'Service' }, '/type', 'service, inspection'],
    [{ ...due, dueDate: '2027-02-29' }, '/dueDate', 'calendar date'],
    [{ ...due, dueDate: null }, '/dueDate', 'is required'],
    [{ ...due, title: null }, '/title', 'a string'],
    [{ ...due, dueOdometer: -1 }, '/dueOdometer', 'from 0'],
    [{ ...due, dueOdometer: 11_000_001 }, '/dueOdometer', 'to 11000000'],
    [{ ...due, intervalMonths: 0 }, '/intervalMonths', 'from 1 to 1200'],
    [{ ...due, intervalMonths: 1.5 }, '/intervalMonths', 'an integer'],
    [{ ...due, intervalDistance: 0.5 }, '/intervalDistance', 'from 1'],
    [{ ...due, intervalDistance: '500' }, '/intervalDistance', 'a number'],
    [{ ...due, lastDoneDate: day(1) }, '/lastDoneDate', 'future'],
    [{ ...due, lastDoneOdometer: 1e300 }, '/lastDoneOdometer', 'from 0'],
    [{ ...due, notes: 'x'.repeat(10_001) }, '/notes', 'at most 10000'],
    [{ ...due, soonest: day(1) }, '/soonest', 'known are'],
  ] as const) {
    for (const [method, at] of [
      ['POST', maintenance],
      ['PUT', path],
    ] as const) {
      const answer = await service.call(method, at, body);
      expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(400);
      expect(answer.json.errors[0].pointer).toBe(pointer);
      expect(answer.json.errors[0].detail).toContain(detail);
    }
  }
  expect(await list()).toEqual([json]);
});

describe('done', () => {
  test.each([
    ['2025-01-31', 1, '2025-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-08-31', 6, '2025-02-28'],
  ])('on %s, every %i months, is due again on %s', async (date, intervalMonths, dueDate) => {
    const { path, json } = await create({ title: 'x', intervalMonths, intervalDistance: 15_000 });
    const answer = await done(path, { date, odometer: 44_000.5, notes: 'pads at 4 mm' });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id: json.id,
      dueDate,
      dueOdometer: 59_000.5,
      lastDoneDate: date,
      lastDoneOdometer: 44_000.5,
      notes: 'pads at 4 mm',
    });
    expect((await service.call('GET', path)).json).toEqual(answer.json);
  });

  test('without a word is today, at the odometer as it is, and keeps the notes', async () => {
    const { path } = await create({ ...exampleRequest, dueDate: day(-9) });
    for (const body of [undefined, {}]) {
      expect((await done(path, body)).json).toMatchObject({
        dueDate: addMonths(day(0), 24),
        dueOdometer: 75_000,
        lastDoneDate: day(0),
        lastDoneOdometer: 45_000,
        notes: exampleRequest.notes,
        status: 'planned',
      });
    }
  });

  test('where nobody knows the odometer, counts from where it was due', async () => {
    await vehicle({});
    const { path } = await create({ title: 'x', dueOdometer: 30_000, intervalDistance: 15_000 });
    const { json } = await done(path);
    expect(json).toMatchObject({ dueOdometer: 45_000, lastDoneDate: day(0) });
    expect('lastDoneOdometer' in json).toBe(false);
  });

  test('a day that nothing rolls on is dropped', async () => {
    const { path } = await create({ title: 'x', dueDate: day(9), intervalDistance: 15_000 });
    const { json } = await done(path);
    expect(json).toMatchObject({ dueOdometer: 60_000 });
    expect('dueDate' in json).toBe(false);
  });

  test('without an interval leaves the plan (204), and a second time is not found', async () => {
    const { path } = await create({ title: 'x', dueDate: day(9), dueOdometer: 46_000 });
    const answer = await done(path, { date: day(-1) });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await service.call('DELETE', path)).status).toBe(404);
    expect((await service.call('PUT', path, { title: 'x', dueDate: day(9) })).status).toBe(404);
    expect((await done(path)).status).toBe(404);
    expect(await list()).toEqual([]);
    const { json } = await service.call('GET', path);
    expect(json).toMatchObject({ status: 'done', lastDoneDate: day(-1), dueDate: day(9) });
    expect('forecastDate' in json).toBe(false);
  });

  test('many times at once rolls on once, and leaves the plan once', async () => {
    const { path } = await create({ title: 'x', intervalMonths: 12, intervalDistance: 15_000 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => done(path)));
    for (const { json } of answers) {
      expect(json).toMatchObject({ dueDate: addMonths(day(0), 12), dueOdometer: 60_000 });
    }
    const { path: single } = await create({ title: 'x', dueDate: day(9) });
    const ends = await Promise.all(Array.from({ length: 10 }, () => done(single)));
    expect(ends.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  test.each([
    [{ date: day(1) }, '/date', 'future'],
    [{ date: '2026-02-30' }, '/date', 'calendar date'],
    [{ odometer: -1 }, '/odometer', 'from 0'],
    [{ status: 'overdue' }, '/status', 'known are date, odometer, notes, cost, files'],
    [{ cost: { amount: 1, currency: 'EEE' } }, '/cost/currency', 'ISO 4217'],
    [{ files: [{ filename: '' }] }, '/files/0/filename', '1 to 200'],
  ])('%j is refused', async (body, pointer, detail) => {
    const { path, json } = await create({ title: 'x', intervalMonths: 12 });
    const answer = await done(path, body);
    expect(answer.status).toBe(400);
    expect(answer.json.errors[0]).toEqual({
      pointer,
      detail: expect.stringContaining(detail),
    });
    expect((await service.call('GET', path)).json).toEqual(json);
  });
});

test('a vehicle has no more open ones, planned by hand, than it may have, also of several at once', async () => {
  await vehicle({}, 'DE*ABC*V2');
  await service.db.query(
    `insert into maintenance_reports (provider, vehicle_id, source, title, type, closed_at, created_at, updated_at)
     select 'DE-ABC', one.vehicle_id, 'manual', 'Service', 'service', one.closed_at, now(), now()
     from (values ('DE*ABC*V1', $1::integer - 1, null), ('DE*ABC*V1', 10, now()), ('DE*ABC*V2', $1, null))
       as one (vehicle_id, reports, closed_at)
     cross join generate_series(1, one.reports)`,
    [maxReportsOfVehicle],
  );
  const answers = await Promise.all([1, 2, 3].map(() => create(exampleRequest)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.json.type).toEqual(problemType('too-many-maintenance-reports'));
  await service.call('DELETE', answers.find(({ status }) => status === 201)?.path ?? '');
  expect((await create({ title: 'Once', dueDate: day(3) })).status).toBe(201);
  expect((await create(exampleRequest)).status).toBe(409);
});

test('another vehicle’s report, another provider’s, and an id that is none, are all 404', async () => {
  const { json } = await create(exampleRequest);
  await vehicle({}, 'DE*ABC*V2');
  await vehicle({}, 'FR*XYZ*V1', french);
  const foreign = randomUUID();
  await service.db.query(
    `insert into maintenance_reports (provider, vehicle_id, id, source, title, type, created_at, updated_at)
     values ('FR-XYZ', 'FR*XYZ*V1', $1, 'manual', 'x', 'other', now(), now())`,
    [foreign],
  );
  for (const path of [
    `/DE*ABC*V2/maintenance/${json.id}`,
    `/FR*XYZ*V1/maintenance/${foreign}`,
    `${maintenance}/${foreign}`,
    `${maintenance}/1`,
    `${maintenance}/${json.id}x`,
  ]) {
    for (const [method, at, body] of [
      ['GET', path],
      ['DELETE', path],
      ['PUT', path, exampleRequest],
      ['POST', `${path}/done`],
    ] as const) {
      expect((await service.call(method, at, body)).status, `${method} ${at}`).toBe(404);
    }
  }
  for (const path of ['/DE*ABC*nowhere/maintenance', '/FR*XYZ*V1/maintenance']) {
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await service.call('POST', path, exampleRequest)).status).toBe(404);
  }
  expect(
    await service.db.query(`select 1 from maintenance_reports where provider = 'FR-XYZ'`),
  ).toHaveLength(1);
});

test('what is planned, done and overwritten while the vehicle is deleted succeeds or is 404', async () => {
  const { path } = await create({ title: 'x', intervalMonths: 12 });
  await service.call('PUT', `/${vehicleId}/inspection`, {});
  const inspections = await service.call('GET', `${maintenance}?type=inspection`);
  const inspection = `${maintenance}/${inspections.json.items[0].id}`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => [
      service.call('POST', maintenance, exampleRequest),
      done(path),
      done(inspection),
      service.call('PUT', path, exampleRequest),
      ...(index === 3 ? [service.call('DELETE', `/${vehicleId}`)] : []),
    ]).flat(),
  );
  expect(answers.every(({ status }) => [200, 201, 204, 404].includes(status))).toBe(true);
  expect(await service.db.query('select 1 from maintenance_reports')).toEqual([]);
});
