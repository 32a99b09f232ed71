import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/time/clock.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { createPartitions } from '../telemetry/public.ts';
import { writeVehicles } from '../vehicles/public.ts';
import { planMaintenance } from './plan-maintenance.ts';

/** Reports with a source other than manual: what may be changed, and when they come back. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await createPartitions(service.owner, 60, new Date());
});
afterAll(() => service.stop());

const vehicleId = 'DE*ABC*V1';
const maintenance = `/${vehicleId}/maintenance`;
const dayMs = 86_400_000;
const day = (days: number) => dateIn('Europe/Berlin', Date.now() + days * dayMs);

beforeEach(async () => {
  await service.db.query('delete from vehicles');
  await service.db.query('delete from maintenance_schedules');
  await vehicle({ odometer: 45_000 });
});

async function vehicle(status: object) {
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const information = { firstRegistrationDate: '2024-02-29' };
  await writeVehicles(quietWriter(service.db), provider, [
    { asset: { id: vehicleId }, information, status },
  ]);
}

const done = (path: string, body?: object) => service.call('POST', `${path}/done`, body);
const list = async () => (await service.call('GET', maintenance)).json.items;

/** The report of a source, after planning, today or some days from now. */
async function derived(source: string, days = 0) {
  const clock = { now: () => new Date(systemClock.now().getTime() + days * dayMs) };
  await service.db.transaction((tx) => planMaintenance({ tx, clock }, 'DE-ABC', [vehicleId]));
  const report = (await list()).find((one: { source: string }) => one.source === source);
  return { report, path: `${maintenance}/${report?.id}` };
}

describe('the vehicle’s own service', () => {
  const reported = { odometer: 45_000, nextServiceDate: '2027-03-01', nextServiceDistance: 8_000 };
  const due = { dueDate: '2027-03-01', dueOdometer: 53_000 };
  const reset = { odometer: 53_000, nextServiceDate: '2028-03-01', nextServiceDistance: 30_000 };

  test('is planned, due soon and overdue as the vehicle’s messages say', async () => {
    let second = 0;
    const send = async (signals: object) => {
      const timestamp = new Date(Date.now() - 60_000 + 1_000 * second++).toISOString();
      const { status } = await service.call('PUT', `/${vehicleId}/status`, {
        timestamp,
        ...signals,
      });
      expect(status).toBe(200);
      return (await list())[0];
    };
    expect(await send({ odometer: 45_000, nextServiceDistance: 1_510 })).toMatchObject({
      source: 'vehicle',
      dueOdometer: 46_510,
      status: 'planned',
    });
    expect(await send({ odometer: 45_009.9 })).toMatchObject({ status: 'planned' });
    expect(await send({ odometer: 45_010 })).toMatchObject({ status: 'due_soon' });
    expect(await send({ odometer: 46_510 })).toMatchObject({ status: 'due_soon' });
    expect(await send({ odometer: 46_510.1 })).toMatchObject({ status: 'overdue' });
  });

  test('takes a title and notes, and keeps when it is due', async () => {
    await vehicle(reported);
    const { report, path } = await derived('vehicle');
    expect(report).toMatchObject({ source: 'vehicle', type: 'service', ...due });
    const short = await service.call('PUT', path, { title: 'Big one', notes: 'n' });
    expect([short.status, short.json]).toMatchObject([
      200,
      { title: 'Big one', notes: 'n', ...due },
    ]);
    const { json } = await service.call('PUT', path, {
      title: 'Big one',
      notes: 'n',
      dueDate: due.dueDate,
      lastDoneDate: '2025-03-01',
    });
    expect(json).toEqual({
      ...report,
      title: 'Big one',
      notes: 'n',
      lastDoneDate: '2025-03-01',
      updatedAt: json.updatedAt,
    });
    expect((await derived('vehicle')).report).toEqual(json);
    for (const change of [
      { dueDate: '2027-03-02' },
      { dueOdometer: 53_001 },
      { intervalMonths: 12 },
      { intervalDistance: 10 },
      { type: 'other' },
    ]) {
      const answer = await service.call('PUT', path, { ...json, ...change });
      expect(answer.status).toBe(409);
      expect(answer.json).toMatchObject({
        type: problemType('follows-origin'),
        errors: [{ pointer: `/${Object.keys(change)[0]}` }],
      });
    }
    expect((await service.call('GET', path)).json).toEqual(json);
  });

  test.each(['done', 'deleted'])(
    'that is %s (204) comes back with another due alone',
    async (end) => {
      await vehicle(reported);
      const { path } = await derived('vehicle');
      const answer = end === 'done' ? await done(path) : await service.call('DELETE', path);
      expect(answer.status).toBe(204);
      await vehicle({ ...reported, odometer: 45_100, nextServiceDistance: 7_900 });
      expect((await derived('vehicle')).report).toBeUndefined();
      await vehicle({ ...reported, nextServiceDate: '2028-03-01', nextServiceDistance: 30_000 });
      const { report } = await derived('vehicle');
      expect(report).toMatchObject({ dueDate: '2028-03-01', dueOdometer: 75_000 });
      expect(report.lastDoneDate).toBe(end === 'done' ? day(0) : undefined);
    },
  );

  test('that is done after the vehicle was reset leaves the next one in the plan (200), also said again', async () => {
    await vehicle(reported);
    await derived('vehicle');
    await vehicle(reset);
    const { path } = await derived('vehicle');
    const answer = await done(path, { date: day(-1), notes: 'n' });
    expect(answer.status).toBe(200);
    const next = { dueDate: '2028-03-01', dueOdometer: 83_000 };
    expect(answer.json).toMatchObject({ ...next, lastDoneDate: day(-1), notes: 'n' });
    expect((await derived('vehicle')).report).toEqual(answer.json);
    const again = await done(path, { date: day(-1) });
    expect([again.status, again.json]).toMatchObject([200, next]);
    expect((await done(path)).status).toBe(204);
    expect((await derived('vehicle')).report).toBeUndefined();
  });

  test('of which the vehicle tells in other steps is the same one, and leaves the plan', async () => {
    await vehicle(reported);
    await derived('vehicle');
    await vehicle({ ...reported, odometer: 45_100 });
    const { report, path } = await derived('vehicle');
    expect(report.dueOdometer).toBe(53_100);
    expect((await done(path)).status).toBe(204);
    expect((await derived('vehicle')).report).toBeUndefined();
  });

  test('that came back leaves the plan when it is done in its turn', async () => {
    await vehicle(reported);
    const { path } = await derived('vehicle');
    await done(path, { date: day(-1) });
    await vehicle(reset);
    expect((await derived('vehicle')).report).toMatchObject({ dueOdometer: 83_000 });
    expect((await done(path)).status).toBe(204);
    expect((await derived('vehicle')).report).toBeUndefined();
  });

  test('that an earlier release left open and done leaves the plan, and so does the next', async () => {
    await vehicle(reported);
    const { path } = await derived('vehicle');
    await service.db.query(`update maintenance_reports set done = true, last_done_date = $1`, [
      day(-400),
    ]);
    await vehicle({ ...reported, odometer: 45_100 });
    await derived('vehicle');
    expect((await done(path, { date: day(-2) })).status).toBe(204);
    await vehicle({ ...reset, odometer: 53_100 });
    expect((await derived('vehicle')).report).toMatchObject({ dueOdometer: 83_100 });
    expect((await done(path)).status).toBe(204);
    expect((await derived('vehicle')).report).toBeUndefined();
  });

  test('that is not due soon stays in the plan when the one before is said to be done days after the reset, on whatever day', async () => {
    await vehicle(reported);
    await derived('vehicle');
    await vehicle(reset);
    const { path } = await derived('vehicle', -2);
    const answer = await done(path);
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { dueDate: '2028-03-01', dueOdometer: 83_000, lastDoneDate: day(0), status: 'planned' },
    ]);
    expect((await derived('vehicle')).report).toEqual(answer.json);
  });

  test('that is due soon leaves the plan though nobody said that the one before was done', async () => {
    await vehicle(reported);
    await derived('vehicle');
    await vehicle(reset);
    await derived('vehicle', -1);
    await vehicle({ ...reset, odometer: 82_000, nextServiceDistance: 1_000 });
    const { report, path } = await derived('vehicle');
    expect(report).toMatchObject({ dueOdometer: 83_000, status: 'due_soon' });
    expect((await done(path)).status).toBe(204);
    await vehicle({ odometer: 83_000, nextServiceDate: '2029-03-01', nextServiceDistance: 30_000 });
    expect((await derived('vehicle')).report).toMatchObject({ dueOdometer: 113_000 });
  });

  test('that is due soon and that the vehicle has corrected leaves the plan', async () => {
    await vehicle({ ...reported, odometer: 52_000, nextServiceDistance: 1_000 });
    await derived('vehicle');
    await vehicle({ ...reported, odometer: 52_000, nextServiceDistance: 1_300 });
    const { path } = await derived('vehicle', -1);
    expect((await done(path)).status).toBe(204);
    expect((await derived('vehicle')).report).toBeUndefined();
  });

  test('that was done before the reset leaves the next one in the plan however late that is said, also after an earlier one is said again', async () => {
    await vehicle(reported);
    const { path } = await derived('vehicle');
    await done(path, { date: day(-20) });
    await vehicle(reset);
    await derived('vehicle', -19);
    await vehicle({ odometer: 83_000, nextServiceDate: '2029-03-01', nextServiceDistance: 30_000 });
    await derived('vehicle', -9);
    for (const days of [-20, -9]) {
      const { status, json } = await done(path, { date: day(days) });
      expect([status, json]).toMatchObject([
        200,
        { dueOdometer: 113_000, lastDoneDate: day(days) },
      ]);
    }
    expect((await done(path, { date: day(-8) })).status).toBe(204);
  });
});

describe('an inspection', () => {
  beforeEach(async () => {
    await service.call('PUT', `/${vehicleId}/inspection`, { usage: 'private' });
  });

  test('that is done is recorded as passed, and answers with the next', async () => {
    const { report, path } = await derived('inspection');
    expect(report).toMatchObject({ source: 'inspection', type: 'inspection' });
    const answer = await done(path, { date: '2025-10-05', notes: 'no issues' });
    expect(answer.status).toBe(200);
    const { json: inspection } = await service.call('GET', `/${vehicleId}/inspection`);
    expect(inspection.basis.lastInspectionDate).toBe('2025-10-05');
    expect(answer.json).toMatchObject({
      id: report.id,
      dueDate: inspection.estimatedDate,
      lastDoneDate: '2025-10-05',
      lastDoneOdometer: 45_000,
      notes: 'no issues',
    });
    expect(answer.json.dueDate > report.dueDate).toBe(true);
    expect((await derived('inspection')).report).toEqual(answer.json);
  });

  test('takes a title and notes, and keeps when it is due', async () => {
    const { report, path } = await derived('inspection');
    const { status, json } = await service.call('PUT', path, { title: 'HU', notes: 'n' });
    expect([status, json]).toMatchObject([200, { title: 'HU', dueDate: report.dueDate }]);
  });

  test('that is done many times at once is recorded once, and stays one', async () => {
    const { path } = await derived('inspection');
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => done(path, { date: '2025-10-05' })),
      ...Array.from({ length: 4 }, () =>
        service.call('PUT', `/${vehicleId}/inspection`, { lastInspectionDate: '2025-10-05' }),
      ),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await list()).toHaveLength(1);
  });

  test('that nobody can estimate any more leaves the plan (204)', async () => {
    const { path } = await derived('inspection');
    await service.db.query(`update inspections set country = 'US'`);
    expect((await done(path, { date: '2025-10-05' })).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  test('that is deleted comes back when it is due at another time; when it is due is not to be written', async () => {
    const { report, path } = await derived('inspection');
    for (const change of [{ dueDate: '2030-01-01' }, { lastDoneDate: '2025-01-01' }]) {
      expect((await service.call('PUT', path, { ...report, ...change })).status).toBe(409);
    }
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await derived('inspection')).report).toBeUndefined();
    await service.call('PUT', `/${vehicleId}/inspection`, { lastInspectionDate: '2025-10-05' });
    expect((await list())[0]).toMatchObject({ source: 'inspection', lastDoneDate: '2025-10-05' });
  });
});

describe('a schedule’s report', () => {
  const schedule = { title: 'Oil', intervalMonths: 12, intervalDistance: 15_000 };
  beforeEach(async () => {
    await service.call('POST', '/maintenance-schedules', schedule);
    await service.runJobs();
  });

  test('may be set to another day, and is rolled on from when it was done', async () => {
    const { report, path } = await derived('schedule');
    expect(report).toMatchObject({ ...schedule, type: 'service', dueOdometer: 60_000 });
    const moved = { ...report, dueDate: day(5), dueOdometer: 50_000, notes: 'n' };
    const { json } = await service.call('PUT', path, moved);
    expect(json).toMatchObject({ dueDate: day(5), dueOdometer: 50_000, status: 'due_soon' });
    expect((await derived('schedule')).report).toEqual(json);
    const { json: next } = await done(path, { date: '2025-10-31', odometer: 44_000 });
    expect(next).toMatchObject({ dueDate: '2026-10-31', dueOdometer: 59_000 });
    expect((await derived('schedule')).report).toEqual(next);
  });

  test('takes notes, and is due by its intervals where nothing else is said', async () => {
    const { path } = await derived('schedule');
    const { status, json } = await service.call('PUT', path, { title: 'Oil', notes: 'n' });
    const byInterval = { ...schedule, notes: 'n', dueOdometer: 60_000 };
    expect([status, json]).toMatchObject([200, byInterval]);
  });

  test('keeps its title, type and intervals (409), and is gone for good when it is deleted', async () => {
    const { report, path } = await derived('schedule');
    for (const change of [{ title: 'x' }, { type: 'other' }, { intervalMonths: 6 }]) {
      expect((await service.call('PUT', path, { ...report, ...change })).status).toBe(409);
    }
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await derived('schedule')).report).toBeUndefined();
    expect((await service.call('GET', path)).status).toBe(404);
  });
});
