import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { categories } from '../logbook/logbook-entry.ts';
import { kindOfCategory } from './costs/cost-items.ts';
import { countedStatuses, invoiceStatuses, statusMoves } from './invoice-status.ts';

let service: TestService;
const [first, second] = ['DE*ABC*T0000', 'DE*ABC*T0007'] as const;
const whole = { from: '2026-01-01', to: '2026-12-31' };

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => new Date('2026-11-15T12:00:00Z') } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from invoices');
  await service.db.query('delete from logbook_entries');
  await service.db.query('delete from vehicle_history');
  await makeFleet(service.db, 'DE', 'ABC', 2);
});

let numbers = 0;

async function record(lines: object[], more: object = {}) {
  const made = await service.call('POST', '/invoices', {
    number: `N-${numbers++}`,
    supplier: { name: 'Werkstatt Mitte' },
    issueDate: '2026-10-30',
    currency: 'EUR',
    lines: lines.map((line) => ({ text: 'Work', vatRate: '19', ...line })),
    ...more,
  });
  expect(made.json).toMatchObject({ currency: expect.any(String) });
  expect(made.status).toBe(201);
  return made.json;
}

async function enter(vehicleId: string, more: object = {}) {
  const entry = {
    date: '2026-10-28',
    title: 'Cost',
    category: 'service',
    cost: { amount: 5_000, currency: 'EUR' },
    ...more,
  };
  return (await service.call('POST', `/${vehicleId}/logbook`, entry)).json;
}

type Total = { [name: string]: unknown; amount: number };

async function sums(request: object = {}): Promise<Total[]> {
  const answer = await service.call('POST', '/costs', { ...whole, ...request });
  expect(answer.status).toBe(200);
  expect(answer.json.pagination.totalEntries).toBeGreaterThanOrEqual(answer.json.items.length);
  return answer.json.items;
}

test('costs are summed by vehicle, month, kind and supplier, for each currency apart', async () => {
  await record([
    { unitPrice: '100', kind: 'repair', vehicleId: first },
    { unitPrice: '50', kind: 'tyres', vehicleId: second },
    { unitPrice: '10', kind: 'other' },
  ]);
  await record([{ unitPrice: '1000', kind: 'repair', vehicleId: first }], {
    currency: 'JPY',
    issueDate: '2026-09-01',
    supplier: { name: 'Tokyo Works', vatId: 'JP 1' },
  });
  await enter(first);
  const by = (groupBy: string[]) => sums({ groupBy, includeDistance: false });
  const rest = { taxAmount: 0, logbookAmount: 0 };
  expect(await by(['vehicle'])).toEqual([
    { currency: 'EUR', amount: 1_190, taxAmount: 190, logbookAmount: 0 },
    { vehicleId: first, currency: 'EUR', amount: 16_900, taxAmount: 1_900, logbookAmount: 5_000 },
    { ...rest, vehicleId: first, currency: 'JPY', amount: 1_190, taxAmount: 190 },
    { ...rest, vehicleId: second, currency: 'EUR', amount: 5_950, taxAmount: 950 },
  ]);
  expect(await by(['month'])).toEqual([
    { ...rest, month: '2026-09', currency: 'JPY', amount: 1_190, taxAmount: 190 },
    { month: '2026-10', currency: 'EUR', amount: 24_040, taxAmount: 3_040, logbookAmount: 5_000 },
  ]);
  expect((await by(['kind'])).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['maintenance', 5_000],
    ['other', 1_190],
    ['repair', 11_900],
    ['repair', 1_190],
    ['tyres', 5_950],
  ]);
  expect((await by(['supplier'])).map(({ supplier, amount }) => [supplier, amount])).toEqual([
    [undefined, 5_000],
    [{ name: 'Tokyo Works', vatId: 'JP 1' }, 1_190],
    [{ name: 'Werkstatt Mitte' }, 19_040],
  ]);
  expect((await by([])).map(({ currency, amount }) => [currency, amount])).toEqual([
    ['EUR', 24_040],
    ['JPY', 1_190],
  ]);
  expect(await by(['month', 'vehicle', 'kind', 'supplier'])).toHaveLength(5);
});

test('a logbook entry that a line is linked to counts by the invoice alone, while the invoice counts', async () => {
  const entry = await enter(first);
  const line = { unitPrice: '42.02', kind: 'repair', vehicleId: first, logbookEntryId: entry.id };
  const invoice = await record([line]);
  const amount = async () => (await sums({ groupBy: [] }))[0]?.amount;
  expect(await amount()).toBe(5_000);
  expect((await sums({ groupBy: ['kind'] }))[0]?.kind).toBe('repair');
  await service.call('PUT', `/invoices/${invoice.id}`, { ...invoice, status: 'cancelled' });
  expect((await sums({ groupBy: ['kind'] }))[0]?.kind).toBe('maintenance');
  expect(await amount()).toBe(5_000);
});

test('a credit note that is linked to an entry is subtracted, and does not take its place', async () => {
  const entry = await enter(first);
  const line = { vehicleId: first, logbookEntryId: entry.id };
  const credit = await record([{ ...line, unitPrice: '10' }], { type: 'credit_note' });
  const amount = async () => (await sums({ groupBy: [] }))[0]?.amount;
  expect(await amount()).toBe(5_000 - 1_190);
  await record([{ ...line, unitPrice: '42.02' }]);
  expect(await amount()).toBe(5_000 - 1_190);
  await service.call('PUT', `/invoices/${credit.id}`, { ...credit, status: 'cancelled' });
  expect(await amount()).toBe(5_000);
});

test('maintenance that is invoiced counts once, whichever is told first', async () => {
  const report = async () =>
    (
      await service.call('POST', `/${first}/maintenance`, {
        title: 'Oil',
        type: 'service',
        dueDate: '2026-10-20',
      })
    ).json;
  const done = (id: string) =>
    service.call('POST', `/${first}/maintenance/${id}/done`, {
      date: '2026-10-20',
      cost: { amount: 11_900, currency: 'EUR' },
    });
  const charge = (maintenanceReportId: string) =>
    record([{ unitPrice: '100', kind: 'maintenance', vehicleId: first, maintenanceReportId }]);
  const before = await report();
  expect((await done(before.id)).status).toBe(204);
  expect((await charge(before.id)).lines[0].logbookEntryId).toBeDefined();
  const after = await report();
  const invoice = await charge(after.id);
  expect(invoice.lines[0].logbookEntryId).toBeUndefined();
  expect((await done(after.id)).status).toBe(204);
  const read = await service.call('GET', `/invoices/${invoice.id}`);
  expect(read.json.lines[0].logbookEntryId).toBeDefined();
  const [total] = await sums({ groupBy: [] });
  expect(total).toMatchObject({ amount: 2 * 11_900, logbookAmount: 0 });
});

test('credit notes are subtracted; drafts and cancelled invoices do not count', async () => {
  await record([{ unitPrice: '100', vehicleId: first }]);
  await record([{ unitPrice: '40', vehicleId: first }], { type: 'credit_note' });
  expect((await sums())[0]).toMatchObject({ amount: 7_140, taxAmount: 1_140 });
  for (const status of invoiceStatuses) {
    const before = (await sums({ groupBy: [] }))[0]?.amount ?? 0;
    await record([{ unitPrice: '1', vehicleId: first }], { status });
    const counts = ((await sums({ groupBy: [] }))[0]?.amount ?? 0) - before;
    expect([status, counts]).toEqual([status, countedStatuses.includes(status) ? 119 : 0]);
  }
  expect(Object.keys(statusMoves)).toEqual([...invoiceStatuses]);
});

test('lines share what the whole invoice allows, charges and taxes, to the cent', async () => {
  await record(
    [
      { unitPrice: '10', vehicleId: first },
      { unitPrice: '20', vehicleId: second },
      { unitPrice: '0.01', vehicleId: second, vatRate: '7' },
    ],
    {
      allowances: [{ amount: 100, vatRate: '19' }],
      charges: [{ amount: 333, vatCategory: 'Z' }],
    },
  );
  const rows = await sums({ groupBy: ['vehicle'] });
  const [total] = await sums({ groupBy: [] });
  expect(total?.amount).toBe(3_451 + 1 + 333);
  expect(rows.map(({ amount }) => amount)).toEqual([1_262, 2_523]);
});

test('a line belongs to the day on which its service began, by default to that of the invoice', async () => {
  const price = { unitPrice: '1', vehicleId: first };
  await record([price]);
  await record([price], { serviceDate: '2026-09-30' });
  await record([price], { servicePeriod: { from: '2026-08-01', to: '2026-08-31' } });
  await record([{ ...price, servicePeriod: { to: '2026-07-31' } }], { serviceDate: '2026-09-30' });
  const months = (await sums({ groupBy: ['month'] })).map(({ month }) => month);
  expect(months).toEqual(['2026-07', '2026-08', '2026-09', '2026-10']);
  expect(await sums({ groupBy: ['month'], from: '2026-08-02', to: '2026-09-29' })).toEqual([]);
  const edge = await sums({ groupBy: ['month'], from: '2026-08-01', to: '2026-09-30' });
  expect(edge.map(({ month }) => month)).toEqual(['2026-08', '2026-09']);
});

test('cost per km: the distance is that of the odometers in the time of the row, by the calendar of the provider', async () => {
  const read = (time: string, odometer: number, vehicleId: string = first) =>
    service.db.query(
      'insert into vehicle_history (provider, vehicle_id, time, odometer) values ($1, $2, $3, $4)',
      ['DE-ABC', vehicleId, time, odometer],
    );
  await read('2026-09-20T10:00:00Z', 1_000);
  // In Berlin this is the first of October.
  await read('2026-09-30T22:30:00Z', 1_050);
  await read('2026-10-20T10:00:00Z', 1_200);
  await read('2026-11-10T10:00:00Z', 1_300);
  await record([
    { unitPrice: '100', vehicleId: first },
    { unitPrice: '7', vehicleId: second },
  ]);
  await enter(first, { date: '2026-11-02' });
  const months = await sums({ groupBy: ['month', 'vehicle'] });
  expect(months).toMatchObject([
    { month: '2026-10', vehicleId: first, amount: 11_900, distance: 200, costPerKm: '0.595000' },
    { month: '2026-10', vehicleId: second, amount: 833 },
    { month: '2026-11', vehicleId: first, amount: 5_000, distance: 100, costPerKm: '0.500000' },
  ]);
  expect(months[1]).not.toHaveProperty('distance');
  // A vehicle without odometers does not make the others look dear.
  const [total] = await sums({ groupBy: [] });
  expect(total).toMatchObject({ amount: 17_733, distance: 300, costPerKm: '0.563333' });
});

test('filters, sorting and pages', async () => {
  await record([
    { unitPrice: '3', kind: 'toll', vehicleId: first },
    { unitPrice: '2', kind: 'fine', vehicleId: second },
    { unitPrice: '1', kind: 'parking', vehicleId: first },
  ]);
  await enter(second, { category: 'toll', cost: { amount: 77, currency: 'EUR' } });
  const amounts = async (request: object) => (await sums(request)).map(({ amount }) => amount);
  const groupBy = ['kind'];
  const sorting = [{ field: 'amount', direction: 'desc' }];
  expect(await amounts({ groupBy, sorting })).toEqual([434, 238, 119]);
  expect(await amounts({ groupBy, sorting, pagination: { pageSize: 2, pageNumber: 1 } })).toEqual([
    119,
  ]);
  expect(await amounts({ groupBy, pagination: { pageSize: 2, pageNumber: 7 } })).toEqual([]);
  const filter = (field: string, value: unknown, operator = 'eq') => ({
    filters: [{ field, operator, value }],
  });
  expect(await amounts({ groupBy: [], ...filter('vehicleId', second) })).toEqual([315]);
  expect(await amounts({ groupBy: [], ...filter('source', 'logbook') })).toEqual([77]);
  expect(await amounts({ groupBy: [], ...filter('kind', ['fine', 'parking'], 'in') })).toEqual([
    357,
  ]);
  expect(await amounts({ groupBy: [], ...filter('supplier.name', 'werk', 'startsWith') })).toEqual([
    714,
  ]);
});

test('a sum may be larger than each of its amounts may be', async () => {
  const cost = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
  for (const vehicle of [first, first, second]) await enter(vehicle, { cost });
  const [row] = await sums({ groupBy: [] });
  expect(row?.amount).toBe(3 * Number.MAX_SAFE_INTEGER);
});

test('without a body: the vehicles, of the twelve months up to today', async () => {
  await record([{ unitPrice: '1', vehicleId: first }], { issueDate: '2025-12-01' });
  await record([{ unitPrice: '2', vehicleId: first }], { issueDate: '2025-11-30' });
  await record([{ unitPrice: '4', vehicleId: first }], { issueDate: '2026-11-15' });
  await record([{ unitPrice: '8', vehicleId: first }], { issueDate: '2026-11-16' });
  const answer = await service.call('POST', '/costs');
  expect(answer.json.items).toMatchObject([{ vehicleId: first, amount: 595 }]);
});

test('what cannot be asked is told', async () => {
  const pointers = async (request: object) => {
    const { status, json } = await service.call('POST', '/costs', request);
    return [status, ...(json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  expect(await pointers({ from: '2026-02-01', to: '2026-01-01' })).toEqual([400, '/from']);
  expect(await pointers({ from: '2016-01-01', to: '2026-01-01' })).toEqual([400, '/from']);
  expect(await pointers({ to: '2016-01-01' })).toEqual([200]);
  expect(await pointers({ to: '0001-05-31' })).toEqual([200]);
  expect(await pointers({ from: '9999-01-01', to: '9999-11-30', groupBy: ['month'] })).toEqual([
    200,
  ]);
  expect(await pointers({ from: '9999-01-01', to: '9999-12-31' })).toEqual([400, '/to']);
  expect(await pointers({ to: '9999-12-31', groupBy: ['month'] })).toEqual([400, '/to']);
  expect(await pointers({ from: '2030-01-01' })).toEqual([400, '/from']);
  expect(await pointers({ groupBy: ['kind'], sorting: [{ field: 'month' }] })).toEqual([
    400,
    '/sorting/0/field',
  ]);
  expect(await pointers({ groupBy: ['colour'] })).toEqual([400, '/groupBy/0']);
  expect(await pointers({ filters: [{ field: 'colour', value: 1 }] })).toEqual([
    400,
    '/filters/0/field',
  ]);
});

test('every category of the logbook is a kind of cost', () => {
  expect(Object.keys(kindOfCategory).sort()).toEqual([...categories].sort());
});
