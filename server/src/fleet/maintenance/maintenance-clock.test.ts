import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { refreshFleet } from './refresh-fleet.ts';

let service: TestService;
let now: Date;
const vehicle = '/DE*ABC*V1';
const maintenance = `${vehicle}/maintenance`;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-01-31T12:00:00.000Z');
  await service.db.query('delete from vehicles');
  await service.db.query('delete from maintenance_schedules');
  await service.call('PUT', vehicle, { information: { firstRegistrationDate: '2028-05-10' } });
});

async function create(body: object) {
  const { status, json } = await service.call('POST', maintenance, body);
  expect(status).toBe(201);
  return json;
}
const read = async (id: string) => (await service.call('GET', `${maintenance}/${id}`)).json;

async function refresh() {
  await service.db.transaction((tx) =>
    service.dependencies.jobs.add(tx, refreshFleet, { provider: 'DE-ABC' }),
  );
  await service.runJobs();
}

test('a planned report is due soon and then overdue as the clock goes on and the fleet is refreshed', async () => {
  const report = await create({ title: 'Tyres', dueDate: '2031-04-15' });
  expect(report).toMatchObject({
    status: 'planned',
    createdAt: '2031-01-31T12:00:00.000Z',
    updatedAt: '2031-01-31T12:00:00.000Z',
  });
  for (const [day, status] of [
    ['2031-03-15', 'planned'],
    ['2031-03-16', 'due_soon'],
    ['2031-04-15', 'due_soon'],
    ['2031-04-16', 'overdue'],
  ]) {
    now = new Date(`${day}T00:03:00.000Z`);
    await refresh();
    expect(await read(report.id), day).toEqual({ ...report, status });
  }
});

test('an interval without a last time begins on the day of the clock', async () => {
  const { dueDate } = await create({ title: 'Brake fluid', intervalMonths: 1 });
  expect(dueDate).toBe('2031-02-28');
});

test('what is completed without a date was done on the day of the clock', async () => {
  const { id } = await create({ title: 'Service', dueDate: '2031-02-10', intervalMonths: 12 });
  now = new Date('2031-02-07T22:59:59.999Z');
  const { json } = await service.call('POST', `${maintenance}/${id}/done`, {});
  expect(json).toMatchObject({
    lastDoneDate: '2031-02-07',
    dueDate: '2032-02-07',
    createdAt: '2031-01-31T12:00:00.000Z',
    updatedAt: '2031-02-07T22:59:59.999Z',
  });
});

test('the future begins on the day after that of the clock', async () => {
  const { id } = await create({ title: 'Service', dueDate: '2031-02-10', intervalMonths: 12 });
  const lastDone = (lastDoneDate: string) =>
    service.call('POST', maintenance, { title: 'x', dueDate: '2032-01-01', lastDoneDate });
  const done = (date: string) => service.call('POST', `${maintenance}/${id}/done`, { date });
  expect((await lastDone('2031-01-31')).status).toBe(201);
  expect((await lastDone('2031-02-01')).status).toBe(400);
  expect((await done('2031-02-01')).status).toBe(400);
  expect((await done('2031-01-31')).status).toBe(200);
});

test('a schedule plans for the first anniversary that is not past for the clock', async () => {
  await service.call('POST', '/maintenance-schedules', { title: 'Annual', intervalMonths: 12 });
  await service.runJobs();
  const { json } = await service.call('GET', maintenance);
  expect(json.items.find(({ source }: { source: string }) => source === 'schedule')).toMatchObject({
    dueDate: '2031-05-10',
    createdAt: '2031-01-31T12:00:00.000Z',
  });
});

describe('a schedule that names months', () => {
  const tyres = { title: 'Tyres', type: 'tyres', calendarMonths: [10, 4] };

  async function schedule(body: object) {
    const { status, json } = await service.call('POST', '/maintenance-schedules', body);
    expect(status).toBe(201);
    await service.runJobs();
    return json;
  }
  async function planned() {
    const { json } = await service.call('GET', maintenance);
    return json.items.find(({ source }: { source: string }) => source === 'schedule');
  }
  const done = (id: string, body: object) =>
    service.call('POST', `${maintenance}/${id}/done`, body);

  test('in April and October is due on the last day of the next of them, and rolls on', async () => {
    expect(await schedule(tyres)).toMatchObject({ calendarMonths: [4, 10] });
    const report = await planned();
    expect(report).toMatchObject({ dueDate: '2031-04-30', calendarMonths: [4, 10] });
    for (const [today, due] of [
      ['2031-04-12', '2031-10-31'],
      ['2031-09-20', '2032-04-30'],
      ['2032-06-01', '2032-10-31'],
    ]) {
      now = new Date(`${today}T09:00:00.000Z`);
      expect((await done(report.id, {})).json.dueDate, today).toBe(due);
    }
  });

  test('is due this month when that is named, and overdue when it is over', async () => {
    now = new Date('2031-04-30T21:59:00.000Z');
    await schedule(tyres);
    expect(await planned()).toMatchObject({ dueDate: '2031-04-30', status: 'due_soon' });
    now = new Date('2031-04-30T22:03:00.000Z');
    await refresh();
    expect(await planned()).toMatchObject({ dueDate: '2031-04-30', status: 'overdue' });
  });

  test('that change are due anew, but not for a month for which it was done', async () => {
    const { id } = await schedule(tyres);
    now = new Date('2031-03-20T09:00:00.000Z');
    await done((await planned()).id, {});
    const dueIn = async (calendarMonths: number[]) => {
      await service.call('PUT', `/maintenance-schedules/${id}`, { ...tyres, calendarMonths });
      await service.runJobs();
      return (await planned()).dueDate;
    };
    expect(await dueIn([4, 11])).toBe('2031-11-30');
    expect(await dueIn([3, 4])).toBe('2031-04-30');
    expect(await dueIn([5])).toBe('2031-05-31');
    await service.call('PUT', `/maintenance-schedules/${id}`, { title: 'x', intervalMonths: 6 });
    await service.runJobs();
    expect(await planned()).toMatchObject({ dueDate: '2031-09-20', intervalMonths: 6 });
    expect(await planned()).not.toHaveProperty('calendarMonths');
  });

  test('are not changed on a report, and may be sent back in any order', async () => {
    await schedule(tyres);
    const { id, ...report } = await planned();
    const put = (calendarMonths: number[]) =>
      service.call('PUT', `${maintenance}/${id}`, { ...report, calendarMonths });
    expect((await put([10, 4])).status).toBe(200);
    expect((await put([10])).status).toBe(409);
  });

  test('has its own reminder window, which its reports follow', async () => {
    const { id } = await schedule({ ...tyres, reminderDays: 45 });
    for (const [today, status] of [
      ['2031-03-15', 'planned'],
      ['2031-03-16', 'due_soon'],
    ]) {
      now = new Date(`${today}T00:03:00.000Z`);
      await refresh();
      expect((await planned()).status, today).toBe(status);
    }
    await service.call('PUT', `/maintenance-schedules/${id}`, { ...tyres, reminderDays: 10 });
    await service.runJobs();
    expect(await planned()).toMatchObject({ status: 'planned', reminderDays: 10 });
  });
});
