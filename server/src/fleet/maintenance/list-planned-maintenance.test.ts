import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicles } from '../vehicles/public.ts';
import { reportFields } from './maintenance-fields.ts';
import { type MaintenanceReport, types } from './maintenance-report.ts';

let service: TestService;
let reports: MaintenanceReport[];
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const vehicles = ['DE*ABC*V1', 'DE*ABC*V2', 'DE*ABC*V3'];
const total = 45;

beforeAll(async () => {
  service = await startTestService();
  await writeVehicles(
    quietWriter(service.db),
    provider,
    vehicles.map((id, index) => ({
      asset: { id },
      information: index === 1 ? { licensePlate: 'B-MP 1307' } : {},
      status: index === 2 ? {} : { odometer: 20_000, nextServiceDate: '2027-04-01' },
    })),
  );
  for (let index = 0; index < total - 3; index++) {
    const made = await service.call('POST', `/${vehicles[index % 3]}/maintenance`, request(index));
    expect(made.status).toBe(201);
  }
  await service.call('POST', '/maintenance-schedules', { title: 'All', intervalDistance: 15_000 });
  const plate = { licensePlate: 'B-MP 1307' };
  const theirs = { asset: { id: 'FR*XYZ*V1' }, information: plate, status: {} };
  await writeVehicles(quietWriter(service.db), { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' }, [
    theirs,
  ]);
  await service.db.query(
    `insert into maintenance_reports
       (provider, vehicle_id, source, title, type, due_date, closed_at, withdrawn, created_at, updated_at)
     values ('FR-XYZ', 'FR*XYZ*V1', 'manual', 'foreign', 'other', '2020-01-01', null, false, now(), now()),
            ('DE-ABC', 'DE*ABC*V1', 'manual', 'closed', 'other', '2020-01-01', now(), false, now(), now()),
            ('DE-ABC', 'DE*ABC*V1', 'manual', 'withdrawn', 'other', '2020-01-01', null, true, now(), now())`,
  );
  await service.runJobs();
  reports = (await list({ pagination: { pageSize: 1_000 } })).reports;
  // Two of the vehicles report a service.
  expect(reports).toHaveLength(total + 2);
});
afterAll(() => service.stop());

/** Every field set on some and missing on others, many equal values, some due by distance alone. */
function request(index: number) {
  const some = <Value>(every: number, value: Value) => (index % every === 0 ? undefined : value);
  return {
    title: `Report ${['Öl', 'oil_100%', 'OIL'][index % 3]} ${index % 10}`,
    type: types[index % types.length],
    dueDate: some(3, `202${5 + (index % 4)}-0${1 + (index % 9)}-1${index % 4}`),
    dueOdometer: index % 3 === 0 ? 20_000 + index * 100 : some(4, 21_000 + (index % 7) * 1_000),
    intervalMonths: some(2, 1 + (index % 12)),
    calendarMonths: index % 4 === 0 ? [1 + (index % 6), 10] : undefined,
    reminderDays: some(3, 20 + (index % 4)),
    reminderDistance: some(4, 1_000 + (index % 5) * 100),
    intervalDistance: some(5, 5_000 + (index % 3)),
    lastDoneDate: some(7, `2024-0${1 + (index % 9)}-28`),
    lastDoneOdometer: some(6, (index * 977) % 20_000),
    notes: some(4, `Note ${index % 6}`),
  };
}

async function list(body?: object) {
  const answer = await service.call('POST', '/maintenance', body);
  const items = (answer.json.items ?? {}) as Record<string, MaintenanceReport>;
  return { ...answer, ids: Object.keys(items), reports: Object.values(items) };
}
const idsOf = (some: readonly MaintenanceReport[]) => some.map(({ id }) => id);
const soonest = ({ dueDate, forecastDate }: MaintenanceReport) =>
  [dueDate, forecastDate].filter((date) => date !== undefined).sort()[0] ?? '~';

test('no body, {} and a page request give the same reports, each under its id', async () => {
  for (const body of [undefined, {}, { pagination: {} }, { pageRequest: { pageNumber: 0 } }]) {
    const { status, ids, json } = await list(body);
    expect(status).toBe(200);
    expect(ids).toEqual(idsOf(reports));
    expect(json.pagination).toEqual({ pageNumber: 0, pageSize: 100, totalEntries: total + 2 });
    expect(ids).toEqual(
      Object.values(json.items as Record<string, { id: string }>).map((r) => r.id),
    );
  }
});

test('the soonest comes first, then by vehicle and id; what has no day comes last', () => {
  const key = (report: MaintenanceReport) => [soonest(report), report.vehicleId, report.id].join();
  expect(idsOf(reports)).toEqual(idsOf(reports.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))));
  expect(soonest(reports.at(-1) as MaintenanceReport)).toBe('~');
  expect(reports.some(({ dueDate, forecastDate }) => dueDate && forecastDate)).toBe(true);
});

test('pages of any size, under any order, hold every report once', async () => {
  for (const sorting of [[], [{ field: 'type' }], [{ field: 'dueDate', direction: 'desc' }]]) {
    const seen: string[] = [];
    for (let pageNumber = 0; pageNumber < 6; pageNumber++) {
      const { ids, json } = await list({ sorting, pagination: { pageNumber, pageSize: 9 } });
      expect(json.pagination).toEqual({ pageNumber, pageSize: 9, totalEntries: total + 2 });
      seen.push(...ids);
    }
    expect(seen.toSorted()).toEqual(idsOf(reports).toSorted());
    if (sorting.length === 0) expect(seen).toEqual(idsOf(reports));
  }
  const past = await list({ pagination: { pageNumber: 9, pageSize: 100 } });
  expect(past.json).toMatchObject({ items: {}, pagination: { totalEntries: total + 2 } });
});

test('a report is the same in the list as by itself and in the list of its vehicle', async () => {
  for (const vehicle of vehicles) {
    const { json } = await service.call('GET', `/${vehicle}/maintenance?pageSize=1000`);
    expect(json.items).toEqual(reports.filter(({ vehicleId }) => vehicleId === vehicle));
  }
  for (const report of reports.slice(0, 5)) {
    const path = `/${report.vehicleId}/maintenance/${report.id}`;
    expect((await service.call('GET', path)).json).toEqual(report);
  }
  const first = await service.call('GET', `/${vehicles[0]}/maintenance?pageSize=2&pageNumber=1`);
  expect(idsOf(first.json.items)).toEqual(
    idsOf(reports.filter(({ vehicleId }) => vehicleId === vehicles[0]).slice(2, 4)),
  );
});

describe('filters', () => {
  test('calendarMonths finds what names one of them', async () => {
    const names = (month: number) => reports.filter((one) => one.calendarMonths?.includes(month));
    for (const month of [5, 10]) {
      const { ids } = await list({ filters: [{ field: 'calendarMonths', value: month }] });
      expect(ids).toEqual(idsOf(names(month)));
    }
    expect(names(5).length).toBeLessThan(names(10).length);
  });

  test.each(reportFields.filter(({ anyOf }) => anyOf === undefined))(
    '$path finds exactly what fits, and sorts',
    async ({ path, type, values: words }) => {
      const at = (report: MaintenanceReport) => report[path as keyof MaintenanceReport];
      const fold = (value: unknown) =>
        (typeof value === 'string' ? value.toLowerCase() : value) as string | number;
      const known = reports.filter((report) => at(report) !== undefined);
      const sample = at(known[Math.floor(known.length / 2)] as MaintenanceReport) ?? '';
      const cases: [string, unknown, (value: unknown) => boolean][] = [
        ['eq', sample, (value) => fold(value) === fold(sample)],
        ['ne', sample, (value) => fold(value) !== fold(sample)],
        ['in', [sample], (value) => fold(value) === fold(sample)],
        ['exists', false, (value) => value === undefined],
      ];
      if (type !== 'uuid' && !words) {
        cases.push(['gte', sample, (value) => value !== undefined && fold(value) >= fold(sample)]);
      }
      for (const [operator, value, keep] of cases) {
        const { ids, json } = await list({ filters: [{ field: path, operator, value }] });
        expect(ids, operator).toEqual(idsOf(reports.filter((report) => keep(at(report)))));
        expect(json.pagination.totalEntries).toBe(ids.length);
      }
      const sorted = (await list({ sorting: [{ field: path }] })).reports.map((one) =>
        fold(at(one)),
      );
      const present = sorted.filter((value) => value !== undefined);
      expect(sorted.slice(0, present.length)).toEqual(
        present.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      );
    },
  );

  test('all of them must hold, and one without a field looks for text', async () => {
    const { reports: found } = await list({
      filters: [{ value: 'oil_100%' }, { field: 'status', value: 'OVERDUE' }],
    });
    const isMatch = ({ title, status }: MaintenanceReport) =>
      title.includes('oil_100%') && status === 'overdue';
    expect(found).toEqual(reports.filter(isMatch));
    expect(found.length).toBeGreaterThan(0);
  });

  test.each(['1307', 'b-mp', 'B-MP 1307', 'bmp1307'])(
    'the text %s finds what is planned for the vehicle of that plate',
    async (value) => {
      const { ids, json } = await list({ filters: [{ value }] });
      expect(ids).toEqual(idsOf(reports.filter(({ vehicleId }) => vehicleId === vehicles[1])));
      expect(json.pagination.totalEntries).toBe(ids.length);
    },
  );

  test('several texts are found in plate, title and notes together', async () => {
    const filters = [{ value: '1307' }, { value: 'Oil' }, { value: 'note 4' }];
    const { reports: found } = await list({ filters });
    const isMatch = ({ vehicleId, title, notes = '' }: MaintenanceReport) =>
      vehicleId === vehicles[1] && /oil/i.test(title) && notes === 'Note 4';
    expect(found).toEqual(reports.filter(isMatch));
    expect(found.length).toBeGreaterThan(0);
  });

  test.each([
    [{ filters: [{ field: 'soonest', value: 1 }] }, '/filters/0/field'],
    [{ filters: [{ field: 'status', value: 'late' }] }, '/filters/0/value'],
    [{ filters: [{ field: 'dueDate', operator: 'contains', value: 'x' }] }, '/filters/0/operator'],
    [{ sorting: [{ field: 'source.id' }] }, '/sorting/0/field'],
    [{ pagination: { pageSize: 1_001 } }, '/pagination/pageSize'],
    [{ pagination: {}, pageRequest: {} }, '/pageRequest'],
    [{ searchText: 'x' }, '/searchText'],
  ])('%j is refused', async (body, pointer) => {
    const { status, json } = await list(body);
    expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
  });
});
