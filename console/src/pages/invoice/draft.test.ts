import type { Invoice, InvoiceOcr } from '@motorpool/client';
import { expect, test } from 'vitest';
import { draftOf, invoiceOf } from './draft.ts';

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

test('a draft that has lines keeps their currency, whatever was recognised', () => {
  expect(invoiceOf(invoice, draftOf(invoice, dollars)).currency).toBe('EUR');
  expect(draftOf({ ...invoice, lines: [] }, dollars).net.currency).toBe('USD');
});
