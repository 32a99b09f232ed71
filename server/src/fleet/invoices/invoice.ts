import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { BlobsSchema } from '../files/public.ts';
import {
  amount,
  DocumentAllowanceSchema,
  InvoiceLineRequestSchema,
  InvoiceLineSchema,
  ServicePeriodSchema,
  shortText,
  vatCategories,
  vatCategory,
  vatRate,
} from './invoice-line.ts';
import { invoiceStatuses } from './invoice-status.ts';

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('invoice');

export const invoiceTypes = ['invoice', 'credit_note'] as const;

const SupplierSchema = Type.Object(
  {
    name: shortText('Its name.', 'Werkstatt Mitte GmbH', 500),
    vatId: Type.Optional(
      shortText(
        'Its VAT identification number, with the prefix of its country.',
        'DE123456788',
        50,
      ),
    ),
    taxNumber: Type.Optional(
      shortText('Its number with the tax authority, where it has no VAT id.', '12/345/67890', 50),
    ),
    registration: Type.Optional(
      shortText('Its number in a register of companies.', 'HRB 12345', 100),
    ),
    address: Type.Optional(
      Type.Object(
        {
          street: Type.Optional(shortText('Street and number.', 'Werkstraße 3')),
          addition: Type.Optional(shortText('A second line of the address.', 'Hof 2')),
          postalCode: Type.Optional(shortText('Postal code.', '20457', 20)),
          city: Type.Optional(shortText('City.', 'Hamburg')),
          region: Type.Optional(shortText('State, province or canton.', 'Hamburg')),
          countryCode: Type.Optional(
            Type.String({
              pattern: '^[A-Z]{2}$',
              description: 'An ISO 3166-1 code.',
              examples: ['DE'],
            }),
          ),
        },
        { $id: 'SupplierAddress', additionalProperties: false },
      ),
    ),
  },
  { $id: 'Supplier', additionalProperties: false, description: 'Who sent the invoice.' },
);
export type Supplier = Static<typeof SupplierSchema>;

const VatBreakdownSchema = Type.Object(
  {
    vatCategory: Type.Enum([...vatCategories], { ...vatCategory }),
    vatRate: Type.Optional(vatRate),
    taxableAmount: amount('Net lines less allowances, plus charges, at this rate.', 14_775),
    taxAmount: amount('The rate of the taxable amount, rounded half up.', 2_807),
    exemptionReason: Type.Optional(shortText('Why no VAT is charged.', 'Reverse charge', 1_000)),
    exemptionReasonCode: Type.Optional(
      shortText('Why no VAT is charged, as a code of the VATEX list.', 'VATEX-EU-AE', 50),
    ),
  },
  { $id: 'VatBreakdown', additionalProperties: false },
);
export type VatBreakdown = Static<typeof VatBreakdownSchema>;

/** In the order in which each follows from those before it. */
const totals = {
  lineNetAmount: amount('The sum of the net amounts of the lines.', 14_775),
  allowanceAmount: amount('The sum of the allowances on the invoice.', 0),
  chargeAmount: amount('The sum of the charges on the invoice.', 0),
  taxExclusiveAmount: amount('The lines less allowances, plus charges.', 14_775),
  taxAmount: amount('The sum of the VAT breakdown.', 2_807),
  taxInclusiveAmount: amount('With VAT.', 17_582),
  prepaidAmount: amount('What was paid before.', 0),
  roundingAmount: amount('What is added to round the amount to be paid.', 0),
  payableAmount: amount('With VAT, less what was paid before, rounded.', 17_582),
};
export const totalNames = Object.keys(totals) as (keyof typeof totals)[];

const TotalsSchema = Type.Object(totals, { $id: 'InvoiceTotals', additionalProperties: false });
export type Totals = Static<typeof TotalsSchema>;

const TotalsRequestSchema = Type.Partial(Type.Object(totals), {
  $id: 'InvoiceTotalsRequest',
  additionalProperties: false,
  description:
    'What is sent must agree with the lines to the minor unit; what is left out is calculated.',
});

const date = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: [example] }));

const properties = {
  number: Type.Optional(
    shortText(
      'The number that the supplier gave it; the same number twice from one supplier is refused.',
      'R-2026-1043',
    ),
  ),
  supplier: Type.Optional(SupplierSchema),
  customerReference: Type.Optional(
    shortText(
      'What the supplier was told to name: a cost centre, a purchaser.',
      'Fleet north',
      500,
    ),
  ),
  orderReference: Type.Optional(shortText('The number of the order.', '4500012345', 500)),
  issueDate: date('The date of the invoice.', '2026-10-30'),
  dueDate: date('When it has to be paid.', '2026-11-13'),
  serviceDate: date('When it was delivered or done.', '2026-10-28'),
  servicePeriod: Type.Optional(ServicePeriodSchema),
  note: Type.Optional(shortText('A note.', 'Warranty claim is pending.', 10_000)),
  allowances: Type.Optional(Type.Array(DocumentAllowanceSchema, { maxItems: 100 })),
  charges: Type.Optional(Type.Array(DocumentAllowanceSchema, { maxItems: 100 })),
};

const currency = {
  pattern: '^[A-Z]{3}$',
  description: 'An ISO 4217 code: three capital letters.',
  examples: ['EUR'],
};
const type = {
  type: 'string',
  description: 'A credit note has positive amounts, and lessens the costs.',
  examples: ['invoice'],
} as const;
const status = {
  type: 'string',
  description:
    'Draft (may be incomplete) → open → approved → paid; disputed meanwhile; cancelled. Drafts and cancelled ones are no costs.',
  examples: ['open'],
} as const;
/** Parts of a VAT breakdown. */
export const maxVatParts = 100;

const vatBreakdown = Type.Array(VatBreakdownSchema, {
  maxItems: maxVatParts,
  description: 'VAT by category and rate.',
});
const maxLines = 2_000;

/** Unknown values are absent. */
export const InvoiceSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    type: Type.Enum([...invoiceTypes], type),
    status: Type.Enum([...invoiceStatuses], status),
    ...properties,
    currency: Type.String(currency),
    lines: Type.Array(InvoiceLineSchema, { maxItems: maxLines }),
    vatBreakdown,
    totals: TotalsSchema,
    blobs: BlobsSchema,
    createdAt: Type.String({ format: 'date-time', description: 'When it was recorded.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'Invoice', additionalProperties: false },
);
export type Invoice = Static<typeof InvoiceSchema>;

export const InvoiceRequestSchema = Type.Object(
  {
    type: Type.Optional(Type.Enum([...invoiceTypes], { ...type, default: 'invoice' })),
    status: Type.Optional(
      Type.Enum([...invoiceStatuses], {
        ...status,
        description: `${status.description} When left out, that of a new invoice is open, and that of another stays.`,
      }),
    ),
    ...properties,
    currency: Type.Optional(
      Type.String({
        ...currency,
        description: `${currency.description} When left out, that of the profile.`,
      }),
    ),
    lines: Type.Optional(Type.Array(InvoiceLineRequestSchema, { maxItems: maxLines })),
    vatBreakdown: Type.Optional(vatBreakdown),
    totals: Type.Optional(TotalsRequestSchema),
    id: readOnly,
    blobs: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'InvoiceRequest', additionalProperties: false },
);
export type InvoiceRequest = Static<typeof InvoiceRequestSchema>;
/** An invoice whose amounts are all known, before it is stored. */
export type NewInvoice = Omit<Invoice, 'id' | 'blobs' | 'createdAt' | 'updatedAt'>;
