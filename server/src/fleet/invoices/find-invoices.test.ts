import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { findInvoices } from './find-invoices.ts';

let service: TestService;
const vehicleId = 'DE*ABC*T0000';

const record = (number: string, more: object = {}) =>
  service.call('POST', '/invoices', {
    number,
    supplier: { name: 'Werkstatt Mitte', vatId: 'DE123456788' },
    issueDate: '2026-10-30',
    lines: [{ text: 'Labour', unitPrice: '10', vatRate: '19', vehicleId }],
    ...more,
  });

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 1);
  await record('A', { issueDate: '2026-10-01', dueDate: '2026-10-15', status: 'paid' });
  await record('B', { issueDate: '2026-10-02', note: '100 % of_it' });
  await record('C', {
    issueDate: '2026-09-30',
    supplier: { name: 'Ladenetz', taxNumber: '12/34' },
    lines: [
      {
        text: 'Energy',
        quantity: '100',
        unit: 'KWH',
        unitPrice: '0.5',
        vatRate: '19',
        kind: 'energy',
      },
      { text: 'Parking', unitPrice: '2', vatRate: '19', kind: 'parking' },
    ],
  });
  await record('D', { status: 'draft', issueDate: undefined, number: undefined, lines: [] });
});
afterAll(() => service.stop());

async function find(request?: object) {
  const { status, json } = await service.call('POST', '/invoices/search', request);
  expect(status).toBe(200);
  return json.items.map(({ number = 'D' }: { number?: string }) => number).join('');
}
const by = (field: string, value: unknown, operator = 'eq') => ({
  filters: [{ field, operator, value }],
});

test('without a body: all, the newest date first, with their lines', async () => {
  expect(await find()).toBe('BACD');
  const { json } = await service.call('POST', '/invoices/search', by('number', 'C'));
  expect(json.items[0].lines.map(({ text }: { text: string }) => text)).toEqual([
    'Energy',
    'Parking',
  ]);
  expect(json.pagination).toEqual({ pageNumber: 0, pageSize: 100, totalEntries: 1 });
  const { id } = json.items[0];
  expect((await service.call('GET', `/invoices/${id}`)).json).toEqual(json.items[0]);
});

test('by status, supplier, amounts, dates, and what any line has', async () => {
  expect(await find(by('status', ['paid', 'draft'], 'in'))).toBe('AD');
  expect(await find(by('supplier.name', 'lade', 'startsWith'))).toBe('C');
  expect(await find(by('taxNumber', true, 'exists'))).toBe('C');
  expect(await find(by('totals.taxInclusiveAmount', 1_190))).toBe('BA');
  expect(await find(by('issueDate', '2026-10-01', 'gte'))).toBe('BA');
  expect(await find(by('lines.kind', 'parking'))).toBe('C');
  expect(await find(by('lines.vehicleId', vehicleId))).toBe('BA');
  expect(await find(by('lines.kind', 'energy', 'ne'))).toBe('BAD');
  expect(await find(by('updatedAt', '2026-01-01T00:00:00Z', 'gt'))).toBe('BACD');
  expect(await find(by('blobs', false, 'exists'))).toBe('BACD');
});

test('by text, which is taken literally, also in the lines', async () => {
  expect(await find({ searchText: '% of_' })).toBe('B');
  expect(await find({ searchText: 'ENERGY' })).toBe('C');
  expect(await find({ searchText: 'mitte' })).toBe('BAD');
  expect(await find({ searchText: '%' })).toBe('B');
});

test('sorted, and in pages', async () => {
  const sorting = [{ field: 'totals.payableAmount', direction: 'desc' }, { field: 'number' }];
  expect(await find({ sorting })).toBe('CABD');
  expect(await find({ sorting, pagination: { pageSize: 3, pageNumber: 1 } })).toBe('D');
  expect(await find({ sorting: [{ field: 'dueDate' }, { field: 'number' }] })).toBe('ABCD');
});

test('the lines of few invoices are read in pieces, too', async () => {
  const inPieces: (boolean | undefined)[] = [];
  const watch = (tx: Queryable): Queryable => ({
    ...tx,
    query: (text, values, budget) => {
      if (text.includes('from invoice_lines')) inPieces.push(budget?.inPieces);
      return tx.query(text, values, budget);
    },
  });
  const db: Database = {
    ...service.db,
    transaction: (work, mode) => service.db.transaction((tx) => work(watch(tx)), mode),
  };
  const page = { pageNumber: 0, pageSize: 25 };
  const request = { text: '', mode: 'literal', filters: [], sorting: [], page };
  const input = { provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' }, body: request };
  await findInvoices.handler(input as never, { ...service.dependencies, db });
  expect(inPieces).toEqual([true]);
});
