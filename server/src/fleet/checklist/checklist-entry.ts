import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { BlobsSchema, exampleBlob } from '../files/public.ts';
import { CustomerSchema, exampleCustomer } from '../users/public.ts';
import {
  ItemRequestSchema,
  itemProperties,
  requiredDescription,
  type Value,
} from './checklist-item.ts';

export const results = ['pass', 'flag', 'fail'] as const;

export const maxPosition = 1_000_000;
export const maxEntriesOfVehicle = 2_000;

const position = {
  minimum: 0,
  maximum: maxPosition,
  examples: [0],
};

const answerProperties = {
  result: Type.Optional(
    Type.Enum([...results], {
      type: 'string',
      description: '`pass` is fine, `flag` wants attention, `fail` is not fine.',
      examples: ['pass'],
    }),
  ),
  value: Type.Optional(
    Type.Unsafe<Value>({
      type: ['boolean', 'number', 'string'],
      maxLength: 10_000,
      description: 'The answer, of the kind that the type says.',
      examples: ['winter'],
    }),
  ),
  comment: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'What else there is to say.',
      examples: ['Tread depth 5 mm all round.'],
    }),
  ),
  customer: Type.Optional(CustomerSchema),
  performedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When it was checked.',
      examples: ['2026-11-15T08:30:00.000Z'],
    }),
  ),
  dueDate: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Until when it is to be checked.',
      examples: ['2026-11-30'],
    }),
  ),
};

export const tooManyEntries = {
  409: 'The checklist would have more entries than one of a vehicle may have.',
};
export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('entry');

/** Unknown values are absent. */
export const ChecklistEntrySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    position: Type.Integer({
      ...position,
      description:
        'Its place in the list, lowest first; the older comes first where two share one.',
    }),
    ...itemProperties,
    required: Type.Boolean({ description: requiredDescription }),
    ...answerProperties,
    blobs: BlobsSchema,
    createdAt: Type.String({ format: 'date-time', description: 'When it was put on the list.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'ChecklistEntry', additionalProperties: false },
);
export type ChecklistEntry = Static<typeof ChecklistEntrySchema>;

export const ChecklistEntryRequestSchema = Type.Object(
  {
    ...ItemRequestSchema.properties,
    ...answerProperties,
    position: Type.Optional(
      Type.Integer({
        ...position,
        description:
          'Its place in the list, lowest first. Left out, a new entry comes last and an old one stays where it is.',
      }),
    ),
    id: readOnly,
    blobs: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'ChecklistEntryRequest', additionalProperties: false },
);
export type ChecklistEntryRequest = Static<typeof ChecklistEntryRequestSchema>;

export const exampleRequest: ChecklistEntryRequest = {
  title: 'Tyres on the car',
  type: 'select',
  options: ['summer', 'winter', 'all-season'],
  required: true,
  result: 'pass',
  value: 'winter',
  comment: 'Tread depth 5 mm all round.',
  customer: exampleCustomer,
  performedAt: '2026-11-15T08:30:00.000Z',
  dueDate: '2026-11-30',
  position: 0,
};

export const exampleEntry = {
  ...exampleRequest,
  id: 'db3b117e-f4b9-4bc3-a1fd-84f9bc3f5cf7',
  blobs: [{ ...exampleBlob, filename: 'tyres.jpg' }],
  createdAt: '2026-11-01T06:00:00.000Z',
  updatedAt: '2026-11-15T08:31:12.345Z',
};
