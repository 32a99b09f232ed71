import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { lockVehicles, type VehicleLine, writeVehicles } from '../vehicles/public.ts';
import { deleteMaintenanceSchedule } from './delete-maintenance-schedule.ts';
import { planMaintenance } from './plan-maintenance.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from vehicles');
  await service.db.query('delete from maintenance_schedules');
});

const german = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const now = new Date('2026-11-15T12:00:00Z');

type Status = VehicleLine['status'];
type Information = VehicleLine['information'];

async function vehicle(
  name: string,
  { information = {}, status = {}, active = true, provider = german } = {} as {
    information?: Information;
    status?: Status;
    active?: boolean;
    provider?: typeof german;
  },
): Promise<string> {
  const id = `${provider.countryCode}*${provider.code}*${name}`;
  await writeVehicles(quietWriter(service.db), provider, [
    { asset: { id, active }, information, status },
  ]);
  return id;
}

async function schedule(values: Record<string, unknown>, provider = 'DE-ABC'): Promise<string> {
  const row = { title: 'Service', type: 'service', created_at: now, updated_at: now, ...values };
  const names = Object.keys(row);
  const [made] = await service.db.queryUnprepared<{ id: string }>(
    `insert into maintenance_schedules (provider, ${names.join(', ')})
     values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')}) returning id`,
    [provider, ...Object.values(row)],
  );
  return made?.id ?? '';
}

const plan = (ids: string[], at = now, provider = 'DE-ABC') =>
  service.db.transaction((tx) => planMaintenance({ tx, clock: { now: () => at } }, provider, ids));

type Row = Record<string, unknown>;
const open = (columns = 'title, due_date, due_odometer') =>
  service.db.queryUnprepared<Row>(
    `select vehicle_id, ${columns} from maintenance_reports
     where closed_at is null and not withdrawn order by vehicle_id, source, title`,
  );
/** As overwriting a report does. */
const set = (changes: string, where = 'true') =>
  service.db.queryUnprepared(
    `update maintenance_reports set version = version + 1, ${changes} where ${where}`,
  );

describe('the first time by a schedule', () => {
  test.each([
    ['an anniversary to come', '2022-03-01', 12, '2027-03-01'],
    ['an anniversary of today', '2020-11-15', 12, '2026-11-15'],
    ['an anniversary of yesterday', '2020-11-14', 12, '2027-11-14'],
    ['an anniversary of tomorrow', '2020-11-16', 12, '2026-11-16'],
    ['a month’s end in a shorter month', '2020-08-31', 3, '2026-11-30'],
    ['a leap day in a common year', '2024-02-29', 12, '2027-02-28'],
    ['a leap day in a leap year', '2024-02-29', 48, '2028-02-29'],
    ['a vehicle registered today', '2026-11-15', 12, '2027-11-15'],
    ['a vehicle to be registered', '2026-12-31', 2, '2027-02-28'],
    ['a step of more than its age', '2026-01-31', 120, '2036-01-31'],
    ['a vehicle of the first year', '0001-01-31', 1, '2026-11-30'],
    ['a vehicle of the last year', '9999-12-31', 1_200, '9999-12-31'],
  ])('is %s', async (_what, firstRegistrationDate, months, expected) => {
    const id = await vehicle('V1', { information: { firstRegistrationDate } });
    await schedule({ interval_months: months });
    await plan([id]);
    expect(await open()).toEqual([
      { vehicle_id: id, title: 'Service', due_date: expected, due_odometer: null },
    ]);
  });

  test('is an interval from today where no registration is known', async () => {
    const id = await vehicle('V1');
    await schedule({ interval_months: 3 });
    await plan([id], new Date('2026-11-30T00:00:00Z'));
    expect(await open()).toMatchObject([{ due_date: '2027-02-28' }]);
  });

  test.each([
    [undefined, 15_000],
    [0, 15_000],
    [14_999.9, 15_000],
    [15_000, 30_000],
    [45_210, 60_000],
    [1.7e308, 10_005_000],
  ])('is at the next multiple above %s km', async (odometer, expected) => {
    const id = await vehicle('V1', { status: { odometer } });
    await schedule({ interval_distance: 15_000 });
    await plan([id]);
    expect(await open()).toMatchObject([{ due_date: null, due_odometer: expected }]);
  });
});

describe('a registration that is told later', () => {
  const register = (firstRegistrationDate: string, status: Status = {}) =>
    vehicle('V1', { information: { firstRegistrationDate }, status });
  const due = async () => (await open('due_date'))[0]?.due_date;
  const later = (date: string) => new Date(`${date}T12:00:00Z`);

  test('makes a schedule due on the next anniversary, also after the first odometer', async () => {
    const id = await vehicle('V1');
    await schedule({ interval_months: 12, interval_distance: 15_000 });
    await plan([id]);
    expect(await due()).toBe('2027-11-15');
    await vehicle('V1', { status: { odometer: 45_000 } });
    await plan([id], later('2026-11-20'));
    expect(await open('due_date, due_odometer')).toMatchObject([
      { due_date: '2027-11-15', due_odometer: 60_000 },
    ]);
    await register('2022-03-01', { odometer: 45_000 });
    await plan([id], later('2026-12-01'));
    expect(await open('due_date, due_odometer')).toMatchObject([
      { due_date: '2027-03-01', due_odometer: 60_000 },
    ]);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-11-15T10:30:00Z', '2027-11-16'],
    ['America/New_York', '2026-11-15T03:30:00Z', '2027-11-14'],
    // Only ICU knows it: PostgreSQL may not know the zone of a provider.
    ['ECT', '2026-11-14T23:30:00Z', '2027-11-15'],
  ])('does so in the time zone %s', async (timeZone, planned, firstDue) => {
    await service.call('PUT', '/profile', { name: 'Fleet' });
    await service.db.query('update provider_profiles set time_zone = $1', [timeZone]);
    onTestFinished(async () => {
      await service.db.query('update provider_profiles set time_zone = null');
    });
    const ids = [await vehicle('V1'), await vehicle('V2')];
    await schedule({ interval_months: 12 });
    await plan(ids, new Date(planned));
    await set('notes = null');
    await set(`due_date = due_date + 1`, `vehicle_id = '${ids[1]}'`);
    const [first, byHand] = await open('due_date');
    expect(first?.due_date).toBe(firstDue);
    for (const name of ['V1', 'V2'])
      await vehicle(name, { information: { firstRegistrationDate: '2022-03-01' } });
    await plan(ids);
    expect(await open('due_date')).toEqual([{ ...first, due_date: '2027-03-01' }, byHand]);
  });

  test('moves what was planned by a wrong one', async () => {
    const id = await register('2022-03-01');
    await schedule({ interval_months: 12 });
    await plan([id]);
    await register('2022-06-10');
    await plan([id], later('2026-12-01'));
    expect(await due()).toBe('2027-06-10');
  });

  test('leaves what was done, set by hand or is overdue', async () => {
    const ids: string[] = [];
    for (const name of ['V1', 'V2', 'V3']) ids.push(await vehicle(name));
    await schedule({ interval_months: 12 });
    await plan(ids);
    const reportPath = async (id: string) => {
      const [report] = await service.db.query<{ id: string }>(
        'select id from maintenance_reports where vehicle_id = $1',
        [id],
      );
      return `/${id}/maintenance/${report?.id}`;
    };
    const [done, byHand] = [await reportPath(ids[0] ?? ''), await reportPath(ids[1] ?? '')];
    const body = { date: '2026-11-10' };
    expect((await service.call('POST', `${done}/done`, body)).status).toBe(200);
    const changed = { title: 'Service', dueDate: '2027-12-24' };
    expect((await service.call('PUT', byHand, changed)).status).toBe(200);
    const information = { firstRegistrationDate: '2022-03-01' };
    for (const name of ['V1', 'V2', 'V3']) await vehicle(name, { information });
    await plan(ids.slice(0, 2));
    await plan(ids.slice(2), later('2027-11-16'));
    expect(await open('due_date')).toEqual([
      { vehicle_id: ids[0], due_date: '2027-11-10' },
      { vehicle_id: ids[1], due_date: '2027-12-24' },
      { vehicle_id: ids[2], due_date: '2027-11-15' },
    ]);
  });

  test('and stays the same moves nothing as time goes on', async () => {
    const id = await register('2024-02-29');
    await schedule({ interval_months: 12 });
    await plan([id]);
    for (const day of ['2027-02-28', '2027-03-01', '2028-03-01']) {
      await plan([id], later(day));
      expect(await due(), day).toBe('2027-02-28');
    }
  });
});

describe('a schedule', () => {
  test('is for all vehicles, for a make, or for a model of it, in any case', async () => {
    const cars: [string, Information][] = [
      ['V1', { vendor: 'Škoda', model: 'Octavia' }],
      ['V2', { vendor: 'ŠKODA', model: 'Fabia' }],
      ['V3', { vendor: 'VW', model: 'octavia' }],
      ['V4', {}],
    ];
    const ids: string[] = [];
    for (const [name, information] of cars) ids.push(await vehicle(name, { information }));
    await schedule({ title: 'all', interval_months: 1 });
    await schedule({ title: 'make', interval_months: 1, vendor: 'škoda' });
    await schedule({ title: 'model', interval_months: 1, model: 'OCTAVIA' });
    await schedule({ title: 'both', interval_months: 1, vendor: 'skoda', model: 'Octavia' });
    await schedule({ title: 'foreign', interval_months: 1 }, 'FR-XYZ');
    await plan(ids);
    const titles = Map.groupBy(await open(), ({ vehicle_id }) => vehicle_id);
    expect(ids.map((id) => titles.get(id)?.map(({ title }) => title))).toEqual([
      ['all', 'make', 'model'],
      ['all', 'make'],
      ['all', 'model'],
      ['all'],
    ]);
  });

  test('that is overwritten brings its reports along, and keeps what was done or set by hand', async () => {
    const information = { firstRegistrationDate: '2022-03-01' };
    const ids: string[] = [];
    for (const name of ['V1', 'V2', 'V3']) {
      ids.push(await vehicle(name, { information, status: { odometer: 45_000 } }));
    }
    const id = await schedule({ interval_months: 12, interval_distance: 20_000 });
    await plan(ids);
    await set(
      `last_done_date = '2026-08-31', last_done_odometer = 44000, due_date = '2027-08-31', due_odometer = 64000`,
      `vehicle_id = '${ids[1]}'`,
    );
    await set(`due_date = '2026-12-24', notes = 'mine'`, `vehicle_id = '${ids[2]}'`);
    const before = await open('id, due_date, due_odometer');

    await service.db.query('update maintenance_schedules set title = $1, type = $2, notes = $3', [
      'Inspection',
      'inspection',
      'new',
    ]);
    await plan(ids);
    expect(await open('id, due_date, due_odometer')).toEqual(before);
    expect(await open('title, type, notes')).toEqual([
      { vehicle_id: ids[0], title: 'Inspection', type: 'inspection', notes: null },
      { vehicle_id: ids[1], title: 'Inspection', type: 'inspection', notes: null },
      { vehicle_id: ids[2], title: 'Inspection', type: 'inspection', notes: 'mine' },
    ]);

    await service.db.query(
      'update maintenance_schedules set interval_months = 18, interval_distance = 30000 where id = $1',
      [id],
    );
    await plan(ids);
    expect(await open('due_date, due_odometer')).toEqual([
      { vehicle_id: ids[0], due_date: '2028-03-01', due_odometer: 60_000 },
      { vehicle_id: ids[1], due_date: '2028-02-29', due_odometer: 74_000 },
      { vehicle_id: ids[2], due_date: '2028-03-01', due_odometer: 60_000 },
    ]);
    await service.db.query('update maintenance_schedules set interval_months = null');
    await plan(ids);
    expect((await open('due_date')).map(({ due_date }) => due_date)).toEqual([null, null, null]);
  });

  test('that is for others now withdraws its reports, and gives them back as they were', async () => {
    const id = await vehicle('V1', { information: { vendor: 'VW' } });
    await schedule({ interval_months: 12 });
    await plan([id]);
    await set(`last_done_date = '2026-10-01', due_date = '2027-10-01'`);
    const before = await open('id, due_date, last_done_date, status');
    await service.db.query(`update maintenance_schedules set vendor = 'BMW'`);
    await plan([id]);
    expect(await open()).toEqual([]);
    await service.db.query('update maintenance_schedules set vendor = null');
    await plan([id]);
    expect(await open('id, due_date, last_done_date, status')).toEqual(before);
  });

  test('that was closed for a vehicle stays closed, whatever becomes of it', async () => {
    const id = await vehicle('V1');
    await schedule({ interval_months: 12 });
    await plan([id]);
    await set('closed_at = now()');
    await service.db.query(`update maintenance_schedules set title = 'Other', interval_months = 6`);
    await plan([id]);
    expect(await open()).toEqual([]);
  });
});

describe('the vehicle’s own service', () => {
  test('follows what the vehicle tells', async () => {
    const status = { odometer: 45_000, nextServiceDistance: 8_400, nextServiceDate: '2027-03-01' };
    const id = await vehicle('V1', { status });
    await plan([id]);
    expect(await open('source, type, due_date, due_odometer')).toEqual([
      {
        vehicle_id: id,
        source: 'vehicle',
        type: 'service',
        due_date: '2027-03-01',
        due_odometer: 53_400,
      },
    ]);
    await vehicle('V1', { status: { nextServiceDate: '2027-03-02' } });
    await plan([id]);
    expect(await open('due_date, due_odometer')).toMatchObject([
      { due_date: '2027-03-02', due_odometer: null },
    ]);
    await vehicle('V1', { status: {} });
    await plan([id]);
    expect(await open()).toEqual([]);
    await vehicle('V1', { status });
    await plan([id]);
    expect(await open()).toMatchObject([{ due_date: '2027-03-01', due_odometer: 53_400 }]);
  });

  test.each([
    [100, -1_000, 0],
    [1e300, 1e308, 10_000_000],
  ])('at %d km with %d km to go is kept within bounds', async (odometer, distance, expected) => {
    const id = await vehicle('V1', { status: { odometer, nextServiceDistance: distance } });
    await plan([id]);
    expect(await open()).toMatchObject([{ due_odometer: expected }]);
  });

  test.each([
    ['the very same', '2027-03-01', 53_400, false],
    ['what it rounds differently', '2027-02-25', 53_590, false],
    ['nothing of the distance any more', '2027-03-01', null, false],
    ['another day', '2028-03-01', 53_400, true],
    ['another distance', '2027-03-01', 68_400, true],
    ['both anew', '2028-03-01', 68_400, true],
  ])('that is closed and reported as %s', async (_what, date, odometer, isBack) => {
    const id = await vehicle('V1', { status: { odometer: 45_000 } });
    const report = async (values: unknown[]) => {
      await service.db.query(
        'update vehicle_statuses set next_service_date = $1, next_service_odometer = $2',
        values,
      );
      await plan([id]);
    };
    await report(['2027-03-01', 53_400]);
    await set('closed_at = now()');
    await report([date, odometer]);
    expect(await open('due_date, due_odometer')).toEqual(
      isBack ? [{ vehicle_id: id, due_date: date, due_odometer: odometer }] : [],
    );
  });
});

describe('an estimated inspection', () => {
  const estimated = (id: string, date: string | null, passedOn: string | null = null) =>
    service.db.query(
      `insert into inspections (provider, vehicle_id, estimated_date, passed_on, created_at, updated_at)
       values ('DE-ABC', $1, $2, $3, now(), now()) on conflict (provider, vehicle_id)
       do update set estimated_date = excluded.estimated_date, passed_on = excluded.passed_on`,
      [id, date, passedOn],
    );

  test('is planned, follows its estimate, and goes without one', async () => {
    const id = await vehicle('V1');
    const columns = 'source, type, due_date, last_done_date';
    const expected = { vehicle_id: id, source: 'inspection', type: 'inspection' };
    await estimated(id, '2027-05-31');
    await plan([id]);
    expect(await open(columns)).toEqual([
      { ...expected, due_date: '2027-05-31', last_done_date: null },
    ]);
    await estimated(id, '2027-06-30', '2025-06-02');
    await plan([id]);
    expect(await open(columns)).toEqual([
      { ...expected, due_date: '2027-06-30', last_done_date: '2025-06-02' },
    ]);
    await estimated(id, null);
    await plan([id]);
    expect(await open()).toEqual([]);
  });

  test('that is closed comes back with another date alone', async () => {
    const id = await vehicle('V1');
    await estimated(id, '2027-05-31');
    await plan([id]);
    await set('closed_at = now()');
    await estimated(id, '2027-05-31', '2025-05-01');
    await plan([id]);
    expect(await open()).toEqual([]);
    await estimated(id, '2027-06-01', '2025-05-01');
    await plan([id]);
    expect(await open('due_date, last_done_date')).toEqual([
      { vehicle_id: id, due_date: '2027-06-01', last_done_date: '2025-05-01' },
    ]);
  });
});

describe('planning', () => {
  const status = { odometer: 45_000, nextServiceDate: '2027-03-01' };

  test('leaves out a vehicle that is out of service, and takes it up again as it was', async () => {
    const idle = await vehicle('V1', { status, active: false });
    await schedule({ interval_months: 12, interval_distance: 15_000 });
    await plan([idle]);
    expect(await open()).toEqual([]);
    await vehicle('V1', { status });
    await plan([idle]);
    await set(`last_done_date = '2026-10-01', due_date = '2027-10-01'`, `source = 'schedule'`);
    await service.db.query(
      `insert into maintenance_reports (provider, vehicle_id, source, title, type, due_date, created_at, updated_at)
       values ('DE-ABC', $1, 'manual', 'By hand', 'other', '2027-01-01', now(), now())`,
      [idle],
    );
    await plan([idle]);
    const before = await open('id, source, due_date, last_done_date, soonest');
    expect(before.map(({ source }) => source)).toEqual(['manual', 'schedule', 'vehicle']);
    await vehicle('V1', { status, active: false });
    await plan([idle]);
    expect((await open('source')).map(({ source }) => source)).toEqual(['manual']);
    await vehicle('V1', { status });
    await plan([idle]);
    expect(await open('id, source, due_date, last_done_date, soonest')).toEqual(before);
  });

  test('again and again, and many times at once, makes one of each and changes nothing', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(await vehicle(`V${index}`, { status }));
    await schedule({ interval_months: 12, interval_distance: 15_000 });
    await schedule({ title: 'Tyres', interval_months: 6 });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => plan(index % 2 ? ids : ids.toReversed())),
    );
    const versions = () => open('id, title, xmin::text, ctid::text, updated_at');
    const before = await versions();
    expect(before).toHaveLength(60);
    await plan(ids);
    expect(await versions()).toEqual(before);
  });

  test('reaches no vehicle but those that it is asked for, and no other provider’s', async () => {
    const french = { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' };
    const [mine, other] = [await vehicle('V1', { status }), await vehicle('V2', { status })];
    const foreign = await vehicle('V1', { status, provider: french });
    await schedule({ interval_months: 12 });
    await plan([mine, foreign, 'DE*ABC*nowhere']);
    expect(new Set((await open()).map(({ vehicle_id }) => vehicle_id))).toEqual(new Set([mine]));
    await plan([foreign, other], now, 'FR-XYZ');
    expect((await open('source')).map(({ source }) => source)).toEqual([
      'schedule',
      'vehicle',
      'vehicle',
    ]);
  });

  test('while vehicles and schedules are deleted fails nowhere, and leaves nothing of them', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 10; index++) ids.push(await vehicle(`V${index}`, { status }));
    const schedules: string[] = [];
    for (let index = 0; index < 5; index++) schedules.push(await schedule({ interval_months: 1 }));
    await plan(ids.slice(5));
    await Promise.all([
      ...Array.from({ length: 6 }, () => plan(ids)),
      ...ids.slice(0, 8).map((id) => service.call('DELETE', `/${id}`)),
      ...schedules.map((id) => service.call('DELETE', `/maintenance-schedules/${id}`)),
    ]);
    await plan(ids);
    expect(await open('source')).toEqual([
      { vehicle_id: ids[8], source: 'vehicle' },
      { vehicle_id: ids[9], source: 'vehicle' },
    ]);
  });
});

describe('an odometer that is too small to compute with', () => {
  test('is 0 wherever it comes from, and keeps no vehicle from being planned', async () => {
    for (const name of ['V1', 'V2', 'V3']) await vehicle(name);
    await service.call('POST', '/maintenance-schedules', {
      title: 'Service',
      intervalDistance: 15_000,
    });
    const timestamp = new Date().toISOString();
    const sendAs = (body: string, path: string, method: string) =>
      service.token().then((token) =>
        service.send({
          method,
          path: `/api/fleets/v1/DE/ABC${path}`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body,
        }),
      );
    const signals = `"timestamp":"${timestamp}","odometer":1e-320,"nextServiceDistance":1e-320`;
    const one = await sendAs(`{${signals}}`, '/DE*ABC*V1/status', 'PUT');
    const many = await sendAs(
      `[{"vehicleId":"DE*ABC*V2",${signals}}]`,
      '/databox/messages',
      'POST',
    );
    expect([one.json.result, many.json.counts?.accepted]).toEqual(['accepted', 1]);
    // One that was stored before it was refused.
    await service.db.query(
      "update vehicle_statuses set odometer = 1e-320::float8 where vehicle_id = 'DE*ABC*V3'",
    );
    await service.runJobs();
    expect(await open('due_odometer, source')).toEqual(
      expect.arrayContaining(
        ['V1', 'V2', 'V3'].map((name) => ({
          vehicle_id: `DE*ABC*${name}`,
          due_odometer: 15_000,
          source: 'schedule',
        })),
      ),
    );
    for (const name of ['V1', 'V2', 'V3']) {
      const { status } = await service.call('PUT', `/DE*ABC*${name}/inspection`, {});
      expect(status, name).toBe(200);
    }
  });
});

describe('deleting a schedule', () => {
  async function startDeletion(scheduleId: string): Promise<ReturnType<TestService['call']>[]> {
    let isAnswered = false;
    const deletion = service.call('DELETE', `/maintenance-schedules/${scheduleId}`).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered && (await lockWaits(service.db)) === 0);
    return [deletion];
  }

  test('waits for a writer of its reports that then plans', async () => {
    const ids = [await vehicle('V1'), await vehicle('V2')];
    const scheduleId = await schedule({ interval_months: 1 });
    await plan(ids);
    let deletion: ReturnType<TestService['call']>[] = [];
    await service.db.transaction(async (tx) => {
      await lockVehicles(tx, 'DE-ABC', ids);
      await tx.query("update maintenance_reports set notes = 'x' where vehicle_id = 'DE*ABC*V1'");
      deletion = await startDeletion(scheduleId);
      await planMaintenance({ tx, clock: { now: () => now } }, 'DE-ABC', ids);
    });
    expect(await Promise.all(deletion)).toMatchObject([{ status: 204 }]);
    expect(await open()).toEqual([]);
  });

  test('takes along the report that another vehicle has got meanwhile', async () => {
    const [first, second] = [await vehicle('V1'), await vehicle('V2')];
    const scheduleId = await schedule({ interval_months: 1 });
    await plan([first]);
    let deletion: ReturnType<TestService['call']>[] = [];
    await service.db.transaction(async (tx) => {
      await lockVehicles(tx, 'DE-ABC', [first]);
      deletion = await startDeletion(scheduleId);
      await plan([second]);
      expect(await open()).toHaveLength(2);
    });
    expect(await Promise.all(deletion)).toMatchObject([{ status: 204 }]);
    expect(await open()).toEqual([]);
  });

  test('passes no ids of vehicles through the process, however many there are', async () => {
    const ids = [await vehicle('V1'), await vehicle('V2'), await vehicle('V3')];
    const scheduleId = await schedule({ interval_months: 1 });
    await plan(ids);
    const passed: unknown[] = [];
    const { db } = service.dependencies;
    const recording: Database['transaction'] = (work, mode) =>
      db.transaction((tx) => {
        const query: Queryable['query'] = async <Row>(
          text: string,
          values?: readonly unknown[],
        ) => {
          const rows = await tx.query<Row>(text, values);
          passed.push(values, rows);
          return rows;
        };
        return work({ ...tx, query });
      }, mode);
    const input = { provider: { id: 'DE-ABC' }, parameters: { scheduleId }, header: () => '*' };
    await deleteMaintenanceSchedule.handler(input as never, {
      ...service.dependencies,
      db: { ...db, transaction: recording },
    });
    expect(await open()).toEqual([]);
    expect(passed).not.toEqual([]);
    for (const id of ids) expect(JSON.stringify(passed)).not.toContain(id);
  });
});
