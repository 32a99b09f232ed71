import { exampleBlob } from '../files/public.ts';
import { exampleVehicle } from '../vehicles/public.ts';
import type { Invoice, InvoiceRequest } from './invoice.ts';

const supplier = {
  name: 'Werkstatt Mitte GmbH',
  vatId: 'DE123456788',
  address: { street: 'Werkstraße 3', postalCode: '20457', city: 'Hamburg', countryCode: 'DE' },
};

const labour = {
  text: 'Labour, annual service',
  kind: 'maintenance',
  quantity: '1.5',
  unit: 'HUR',
  unitPrice: '98.50',
  vatRate: '19',
  vehicleId: exampleVehicle.asset.id,
} as const;

const oil = {
  text: 'Engine oil 5W-30',
  kind: 'maintenance',
  quantity: '4.5',
  unit: 'LTR',
  unitPrice: '12.3456',
  vatRate: '19',
  vehicleId: exampleVehicle.asset.id,
} as const;

const allowances = [{ amount: 556, baseAmount: 5_556, percentage: '10', reason: 'Fleet discount' }];

/** The service calculates the amounts. */
export const exampleRequest = {
  number: 'R-2026-1043',
  supplier,
  customerReference: 'Fleet north',
  issueDate: '2026-10-30',
  dueDate: '2026-11-13',
  serviceDate: '2026-10-28',
  currency: 'EUR',
  lines: [labour, { ...oil, allowances }],
} satisfies InvoiceRequest;

/** All amounts as on the invoice: they are checked. */
export const exampleCreditNote = {
  type: 'credit_note',
  number: 'G-2026-0007',
  supplier,
  issueDate: '2026-11-02',
  currency: 'EUR',
  lines: [
    {
      text: 'Engine oil, charged twice',
      kind: 'maintenance',
      quantity: '1',
      unitPrice: '50.00',
      netAmount: 5_000,
      vatRate: '19',
    },
  ],
  vatBreakdown: [{ vatCategory: 'S', vatRate: '19', taxableAmount: 5_000, taxAmount: 950 }],
  totals: {
    taxExclusiveAmount: 5_000,
    taxAmount: 950,
    taxInclusiveAmount: 5_950,
    payableAmount: 5_950,
  },
} satisfies InvoiceRequest;

export const exampleDraft = {
  status: 'draft',
  note: 'Receipt of the car wash, to be typed in.',
} satisfies InvoiceRequest;

export const exampleNewInvoice: Invoice = {
  id: '93ea24eb-8b4c-4ddf-9730-f41a6ebe6fbb',
  type: 'invoice',
  status: 'open',
  ...exampleRequest,
  lines: [
    { ...labour, lineNumber: '1', priceBaseQuantity: '1', netAmount: 14_775, vatCategory: 'S' },
    {
      ...oil,
      allowances,
      lineNumber: '2',
      priceBaseQuantity: '1',
      netAmount: 5_000,
      vatCategory: 'S',
    },
  ],
  vatBreakdown: [{ vatCategory: 'S', vatRate: '19', taxableAmount: 19_775, taxAmount: 3_757 }],
  totals: {
    lineNetAmount: 19_775,
    allowanceAmount: 0,
    chargeAmount: 0,
    taxExclusiveAmount: 19_775,
    taxAmount: 3_757,
    taxInclusiveAmount: 23_532,
    prepaidAmount: 0,
    roundingAmount: 0,
    payableAmount: 23_532,
  },
  createdAt: '2026-10-30T16:05:12.345Z',
  updatedAt: '2026-10-30T16:05:12.345Z',
};

export const exampleInvoice: Invoice = { ...exampleNewInvoice, blobs: [exampleBlob] };
