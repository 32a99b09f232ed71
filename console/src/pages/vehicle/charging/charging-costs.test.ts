import type { ChargingSession, Invoice, InvoiceLine, LogbookEntry } from '@motorpool/client';
import { expect, test } from 'vitest';
import { chargingCosts } from './charging-costs.ts';

const session = (id: string, day: string, chargedKWh: number): ChargingSession => ({
  id,
  fromDatetime: `${day}T10:00:00Z`,
  chargedKWh,
});

const line = (values: Partial<InvoiceLine>) =>
  ({
    kind: 'energy',
    vehicleId: 'A',
    netAmount: 1_000,
    vatRate: '19',
    unit: 'KWH',
    quantity: '20',
    ...values,
  }) as InvoiceLine;

const invoice = (lines: InvoiceLine[], values: Partial<Invoice> = {}) =>
  ({
    type: 'invoice',
    status: 'paid',
    currency: 'EUR',
    supplier: { name: 'Network' },
    issueDate: '2027-03-31',
    lines,
    ...values,
  }) as Invoice;

const names = { logbook: 'Logbook', standard: 'Standard' };
const common = { vehicleId: 'A', currency: 'EUR', pricePerKwh: 0.3, names };

test('a session counts once: by its invoice, by the logbook of its day, or by the default tariff', () => {
  const costs = chargingCosts({
    ...common,
    sessions: [
      session('1', '2027-03-02', 20),
      session('2', '2027-03-05', 10),
      session('3', '2027-03-07', 10),
    ],
    invoices: [
      invoice([
        line({ chargingSessionId: '1', logbookEntryId: 'x' }),
        line({ vehicleId: 'B' }),
        line({ kind: 'other' }),
      ]),
    ],
    entries: [
      {
        id: 'x',
        date: '2027-03-02',
        category: 'charging',
        cost: { amount: 1_190, currency: 'EUR' },
      },
      { id: 'y', date: '2027-03-05', category: 'charging', cost: { amount: 400, currency: 'EUR' } },
    ] as LogbookEntry[],
  });
  expect(costs).toEqual([
    { month: '2027-03', tariff: 'Network', amount: 1_190, kwh: 20 },
    { month: '2027-03', tariff: 'Logbook', amount: 400, kwh: 0 },
    { month: '2027-03', tariff: 'Standard', amount: 300, kwh: 10 },
  ]);
});

test('drafts cost nothing, credit notes are subtracted, and nothing is estimated without a tariff', () => {
  const costs = chargingCosts({
    ...common,
    pricePerKwh: undefined,
    sessions: [session('1', '2027-03-02', 20)],
    invoices: [
      invoice([line({})], { status: 'draft' }),
      invoice([line({})], { type: 'credit_note' }),
      invoice([line({})], { currency: 'CHF' }),
    ],
    entries: [],
  });
  expect(costs.map(({ amount }) => amount)).toEqual([-1_190]);
});

test('a credit note that is linked to a session or an entry is subtracted, and does not take its place', () => {
  const costs = chargingCosts({
    ...common,
    sessions: [session('1', '2027-03-02', 20)],
    invoices: [
      invoice([line({ chargingSessionId: '1' }), line({ logbookEntryId: 'x' })], {
        type: 'credit_note',
      }),
    ],
    entries: [
      { id: 'x', date: '2027-03-05', category: 'charging', cost: { amount: 400, currency: 'EUR' } },
    ] as LogbookEntry[],
  });
  expect(costs.map(({ amount }) => amount)).toEqual([-1_190, -1_190, 400, 600]);
});
