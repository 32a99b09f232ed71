import type { Invoice, InvoiceOcr } from '@motorpool/client';
import { expect, test } from 'vitest';
import { draftOf, invoiceOf, isComplete, payableOf } from './draft.ts';

const invoice: Invoice = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  type: 'invoice',
  status: 'draft',
  number: 'G-7',
  supplier: { name: 'Garage Nord', vatId: 'DE123456789', city: 'Hamburg' },
  issueDate: '2026-10-01',
  dueDate: '2026-10-15',
  currency: 'EUR',
  lines: [
    {
      id: '52610fa1-c447-4ecb-95bc-7f8f6cc69ff9',
      lineNumber: 1,
      text: 'Tyres',
      kind: 'tyres',
      quantity: '4',
      unit: 'C62',
      unitPrice: '100',
      netAmount: 40_000,
      vatCategory: 'S',
      vatRate: '19',
    },
  ],
  vatBreakdown: [],
  totals: {
    lineNetAmount: 40_000,
    allowanceAmount: 0,
    chargeAmount: 0,
    taxExclusiveAmount: 40_000,
    taxAmount: 7_600,
    taxInclusiveAmount: 47_600,
    prepaidAmount: 0,
    roundingAmount: 0,
    payableAmount: 47_600,
  },
  createdAt: '2026-10-01T00:00:00.000Z',
  updatedAt: '2026-10-01T00:00:00.000Z',
};
const dollars = [
  { field: 'currency', value: 'USD', confidence: 0.9 },
] as unknown as InvoiceOcr['suggestions'];

test('a field of a draft that is cleared is not sent as it was', () => {
  const draft = draftOf(invoice, []);
  expect(invoiceOf(invoice, draft)).toMatchObject({
    dueDate: '2026-10-15',
    supplier: { name: 'Garage Nord', vatId: 'DE123456789', city: 'Hamburg' },
  });
  const cleared = invoiceOf(invoice, { ...draft, dueDate: '', supplierVatId: ' ' });
  expect(cleared).not.toHaveProperty('dueDate');
  expect(cleared.supplier).toStrictEqual({ name: 'Garage Nord', city: 'Hamburg' });
});

test('a receipt becomes what was chosen, an invoice or a credit note', () => {
  const draft = draftOf(invoice, []);
  expect(invoiceOf(invoice, draft).type).toBe('invoice');
  expect(invoiceOf(invoice, { ...draft, type: 'credit_note' }).type).toBe('credit_note');
  expect(draftOf({ ...invoice, type: 'credit_note' }, []).type).toBe('credit_note');
});

test('a draft that has lines keeps their currency, whatever was recognised', () => {
  expect(invoiceOf(invoice, draftOf(invoice, dollars)).currency).toBe('EUR');
  expect(draftOf({ ...invoice, lines: [] }, dollars).net.currency).toBe('USD');
});

test('a draft that has lines keeps its amounts: what was paid before, the rounding and the reasons of an exemption', () => {
  const vatBreakdown: Invoice['vatBreakdown'] = [
    {
      vatCategory: 'E',
      vatRate: '0',
      taxableAmount: 40_000,
      taxAmount: 0,
      exemptionReason: 'Small business',
    },
  ];
  const totals = {
    ...invoice.totals,
    prepaidAmount: 10_000,
    roundingAmount: 3,
    payableAmount: 37_603,
  };
  const restored = { ...invoice, vatBreakdown, totals };
  expect(invoiceOf(restored, draftOf(restored, []))).toMatchObject({ vatBreakdown, totals });
});

test('of a draft without lines, what follows from its new line is calculated', () => {
  const totals = { ...invoice.totals, prepaidAmount: 10_000, roundingAmount: 3 };
  const receipt = { ...invoice, lines: [], totals };
  const draft = draftOf(receipt, []);
  const request = invoiceOf(receipt, {
    ...draft,
    text: 'Oil',
    net: { amount: 12.5, currency: 'EUR' },
  });
  expect(request.totals).toStrictEqual({ prepaidAmount: 10_000, roundingAmount: 3 });
  expect(request).not.toHaveProperty('vatBreakdown');
  expect(request.lines).toMatchObject([{ text: 'Oil', unitPrice: '12.5', vatRate: '19' }]);
});

test('a rate of VAT that is cleared is missing, and not zero', () => {
  const receipt = { ...invoice, lines: [] };
  const net = { amount: 100, currency: 'EUR' };
  const draft = { ...draftOf(receipt, []), text: 'Oil', net };
  expect(isComplete(receipt, draft)).toBe(true);
  expect(isComplete(receipt, { ...draft, vatRate: 0 })).toBe(true);
  expect(isComplete(receipt, { ...draft, vatRate: '' })).toBe(false);
  expect(payableOf(receipt, { ...draft, vatRate: '' })).toBeUndefined();
  // Those of its lines stay.
  expect(isComplete(invoice, { ...draft, vatRate: '' })).toBe(true);
});

test.each([
  [10_000, 1_900, 19],
  [10_000, 2_550, 25.5],
  [1_000, 81, 8.1],
  [20_000, 520, 2.6],
  [345, 88, 25.5],
  [345, 66, 19],
  // The net amount of 3.04, which was rounded, too.
  [255, 49, 19],
  // Of two rates.
  [10_000, 1_337, 13.4],
  [10_000, 0, 0],
])('the rate of %i with a tax of %i is %d percent', (net, tax, rate) => {
  const suggestions = [
    { field: 'taxExclusiveAmount', value: String(net), confidence: 0.9 },
    { field: 'taxAmount', value: String(tax), confidence: 0.9 },
  ] as InvoiceOcr['suggestions'];
  expect(draftOf({ ...invoice, lines: [] }, suggestions).vatRate).toBe(rate);
});

/** What is prefilled of a receipt on which these amounts were recognised, and what is to be paid by it. */
function prefilled(amounts: Partial<Record<InvoiceOcr['suggestions'][number]['field'], number>>) {
  const suggestions = Object.entries(amounts).map(([field, value]) => ({
    field,
    value: String(value),
    confidence: 0.9,
  })) as InvoiceOcr['suggestions'];
  const receipt = { ...invoice, lines: [] };
  const draft = draftOf(receipt, suggestions);
  return {
    net: draft.net.amount,
    rate: draft.vatRate,
    payable: payableOf(receipt, draft),
  };
}

test('of a receipt that tells its total alone, that is what is to be paid', () => {
  expect(prefilled({ payableAmount: 1_490 })).toEqual({ net: 12.52, rate: 19, payable: 1_490 });
});

test('what two amounts of a receipt tell of the third', () => {
  const expected = { net: 100, rate: 7, payable: 10_700 };
  expect(prefilled({ payableAmount: 10_700, taxAmount: 700 })).toEqual(expected);
  expect(prefilled({ payableAmount: 10_700, taxExclusiveAmount: 10_000 })).toEqual(expected);
  expect(prefilled({ taxAmount: 700, taxExclusiveAmount: 10_000 })).toEqual(expected);
  expect(prefilled({ payableAmount: 10_000, taxAmount: 0 })).toEqual({
    net: 100,
    rate: 0,
    payable: 10_000,
  });
});

test('without a total, or with one that is less than the net amount, the rate is the usual one', () => {
  expect(prefilled({ taxExclusiveAmount: 10_000 })).toEqual({
    net: 100,
    rate: 19,
    payable: 11_900,
  });
  expect(prefilled({ taxExclusiveAmount: 10_000, payableAmount: 10 }).rate).toBe(19);
  expect(prefilled({})).toEqual({ net: '', rate: 19, payable: undefined });
});

test('what is to be paid is calculated as the service does, in the minor unit and with what was paid before', () => {
  const receipt = {
    ...invoice,
    lines: [],
    totals: { ...invoice.totals, prepaidAmount: 100, roundingAmount: 2 },
  };
  const draft = { ...draftOf(receipt, []), vatRate: 8.1 };
  expect(payableOf(receipt, { ...draft, net: { amount: 5, currency: 'EUR' } })).toBe(443);
  expect(payableOf(receipt, { ...draft, net: { amount: 500, currency: 'JPY' } })).toBe(443);
  expect(payableOf(receipt, { ...draft, net: { amount: 500, currency: 'JP' } })).toBeUndefined();
});
