import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { CostSchema } from '../cost.ts';
import { BlobsSchema, exampleBlob } from '../files/public.ts';
import { CustomerSchema, exampleCustomer } from '../users/public.ts';

// An enumeration rather than free text, so that costs can be summed by category (docs/decisions/0012).
export const categories = [
  'fuel',
  'charging',
  'service',
  'repair',
  'inspection',
  'tyres',
  'cleaning',
  'toll',
  'parking',
  'fine',
  'insurance',
  'tax',
  'accident',
  'other',
] as const;

const properties = {
  date: Type.String({
    format: 'date',
    description: 'The day on which it happened.',
    examples: ['2026-10-28'],
  }),
  odometer: Type.Optional(
    Type.Number({ minimum: 0, description: 'Odometer of that day in km.', examples: [44_870] }),
  ),
  title: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What happened, in a few words.',
    examples: ['Oil service'],
  }),
  description: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'What happened, at length.',
      examples: ['Oil and filter changed, brakes checked.'],
    }),
  ),
  cost: Type.Optional(CostSchema),
  customer: Type.Optional(CustomerSchema),
};

const category = {
  type: 'string',
  description: 'What kind of event it is.',
  examples: ['service'],
} as const;

const tags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Words to find it by, in the order that was sent; none twice.',
  examples: [['warranty']],
});

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('entry');

/** Unknown values are absent. */
export const LogbookEntrySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    category: Type.Enum([...categories], category),
    ...properties,
    tags: Type.Optional(tags),
    blobs: BlobsSchema,
    maintenanceReportId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The maintenance report whose completion the entry tells of.',
      }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'When it was written down.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'LogbookEntry', additionalProperties: false },
);
export type LogbookEntry = Static<typeof LogbookEntrySchema>;

export const LogbookEntryRequestSchema = Type.Object(
  {
    category: Type.Optional(Type.Enum([...categories], { ...category, default: 'other' })),
    ...properties,
    tags: Type.Optional(tags),
    id: readOnly,
    blobs: readOnly,
    maintenanceReportId: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'LogbookEntryRequest', additionalProperties: false },
);
export type LogbookEntryRequest = Static<typeof LogbookEntryRequestSchema>;

export const exampleRequest = {
  date: '2026-10-28',
  odometer: 44_870,
  category: 'service' as const,
  title: 'Annual service',
  description: 'Brake fluid changed, cabin filter replaced.',
  cost: { amount: 28_450, currency: 'EUR' },
  customer: exampleCustomer,
  tags: ['workshop Mitte', 'warranty'],
} satisfies LogbookEntryRequest;

export const exampleNewEntry: LogbookEntry = {
  id: '12019859-d2aa-46a2-9aad-c6d1db95d9a7',
  ...exampleRequest,
  createdAt: '2026-10-28T16:05:12.345Z',
  updatedAt: '2026-10-28T16:05:12.345Z',
};

export const exampleEntry: LogbookEntry = { ...exampleNewEntry, blobs: [exampleBlob] };
