import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import type { RuleContext } from '../../platform/http/request-part.ts';
import { isCountry } from '../country.ts';
import { futureIssues } from '../profile/public.ts';
import { usages, usageTexts, vehicleClasses, vehicleClassTexts } from '../vehicle-use.ts';
import { exampleVehicle } from '../vehicles/public.ts';
import { fuels } from './estimation/facts.ts';
import { regions } from './estimation/rule-for.ts';

const date = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });

const months = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] });

const fuel = {
  type: 'string',
  description: 'What the vehicle runs on.',
  examples: ['electric'],
} as const;

const RuleSchema = Type.Object(
  {
    country: Type.String({
      maxLength: 20,
      description: 'Whose rule it is: a country or a region.',
      examples: ['DE'],
    }),
    vehicleClass: Type.Enum([...vehicleClasses], vehicleClassTexts),
    usage: Type.Enum([...usages], usageTexts),
    fuel: Type.Optional(Type.Enum([...fuels], fuel)),
    intervalMonths: Type.Array(months('Months.', 24), {
      maxItems: 100,
      description:
        'Months from the first registration to the first inspection, from there to the second, and so on; the last repeats. Empty where there are none.',
      examples: [[36, 24]],
    }),
    olderVehicles: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ageMonths: months('Months since the first registration.', 120),
            intervalMonths: months('Months from one inspection to the next.', 12),
          },
          { additionalProperties: false },
        ),
        { maxItems: 100, description: 'Shorter intervals that hold from an age on.' },
      ),
    ),
    validFrom: date('The day from which on it has been in force.', '2012-07-01'),
    source: Type.String({ maxLength: 1_000, description: 'The law and its paragraph.' }),
    reviewedOn: date('When it was last held against its source.', '2026-11-16'),
    note: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'What else there is to know of it.' }),
    ),
  },
  { $id: 'InspectionRule', additionalProperties: false },
);

const BasisSchema = Type.Object(
  {
    firstRegistrationDate: Type.Optional(
      date('Date of the first registration of the vehicle.', '2022-03-01'),
    ),
    lastInspectionDate: Type.Optional(
      date('When the vehicle last passed an inspection.', '2025-03-18'),
    ),
    country: Type.String({
      maxLength: 20,
      description: 'Where the vehicle is inspected.',
      examples: ['DE'],
    }),
    usage: Type.Enum([...usages], usageTexts),
    fuel: Type.Optional(Type.Enum([...fuels], fuel)),
    vehicleClass: Type.Enum([...vehicleClasses], {
      ...vehicleClassTexts,
      description: `${vehicleClassTexts.description} The one that is recorded, that of the profile, or what the model suggests.`,
    }),
    odometer: Type.Optional(Type.Number({ description: 'Odometer in km.', examples: [45_210] })),
    ageMonths: Type.Optional(months('Whole months since the first registration.', 56)),
  },
  {
    $id: 'InspectionBasis',
    additionalProperties: false,
    description: 'What the estimate is made from: what is recorded, and what stands in for it.',
  },
);

export const InspectionSchema = Type.Object(
  {
    status: Type.Enum(['estimated', 'pending', 'unknown'], {
      type: 'string',
      description:
        '`estimated`: there is a date. `pending`: nobody has looked yet. `unknown`: there is none, and `reason` says why.',
    }),
    estimatedDate: Type.Optional(
      date(
        'The last day on which the next inspection is in time; in the past when it is overdue.',
        '2027-03-31',
      ),
    ),
    confidence: Type.Optional(
      Type.Enum(['high', 'medium', 'low'], {
        type: 'string',
        description: 'How sure the date is.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'Why there is no date, or what makes it less than certain.',
      }),
    ),
    rule: Type.Optional(RuleSchema),
    basis: BasisSchema,
    estimatedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the estimate was made.' }),
    ),
    updatedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When what is recorded last changed; absent while nothing is.',
      }),
    ),
  },
  { $id: 'Inspection', additionalProperties: false },
);
export type Inspection = Static<typeof InspectionSchema>;

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('inspection');

/** What a client may record. */
export const InspectionRequestSchema = Type.Object(
  {
    lastInspectionDate: Type.Optional(
      date('When the vehicle last passed an inspection; not in the future.', '2025-03-18'),
    ),
    country: Type.Optional(
      Type.String({
        maxLength: 20,
        pattern: `^([A-Z]{2}|${regions.join('|')})$`,
        description: `Where the vehicle is inspected: an ISO 3166-1 code, or ${regions.join(', ')}. The country of the asset provider when left out.`,
        examples: ['DE'],
      }),
    ),
    usage: Type.Optional(
      Type.Enum([...usages], {
        ...usageTexts,
        description: `${usageTexts.description} That of the profile of the asset provider when left out.`,
      }),
    ),
    fuel: Type.Optional(
      Type.Enum([...fuels], {
        ...fuel,
        description: `${fuel.description} When left out, a vehicle that has a battery and no tank is electric, and of any other it is unknown.`,
      }),
    ),
    vehicleClass: Type.Optional(
      Type.Enum([...vehicleClasses], {
        ...vehicleClassTexts,
        description: `${vehicleClassTexts.description} When left out, it is that of the profile of the asset provider, or else taken from the model, and the estimate is less certain; where that may be of several classes, the earliest date counts.`,
      }),
    ),
  },
  { $id: 'InspectionRequest', additionalProperties: false },
);
export type InspectionRequest = Static<typeof InspectionRequestSchema>;

export function inspectionIssues(
  { lastInspectionDate, country }: InspectionRequest,
  context: RuleContext,
): ValidationIssue[] {
  return [
    ...futureIssues('lastInspectionDate', lastInspectionDate, context),
    ...countryIssues(country),
  ];
}

function countryIssues(country: string | undefined): ValidationIssue[] {
  if (country === undefined || !/^[A-Z]{2}$/.test(country) || isCountry(country)) return [];
  return [{ pointer: '/country', detail: `country: ${country} is not a country of ISO 3166-1.` }];
}

export const exampleRequest = {
  lastInspectionDate: '2025-03-18',
  country: 'DE',
  usage: 'private',
  fuel: 'electric',
  vehicleClass: 'M1',
} satisfies InspectionRequest;

export const exampleInspection: Inspection = {
  status: 'estimated',
  estimatedDate: '2027-03-31',
  confidence: 'high',
  rule: {
    country: 'DE',
    vehicleClass: 'M1',
    usage: 'private',
    intervalMonths: [36, 24],
    validFrom: '2012-07-01',
    source: 'StVZO § 29 Abs. 1, Anlage VIII Nr. 2.1.2',
    reviewedOn: '2026-11-16',
  },
  basis: {
    firstRegistrationDate: exampleVehicle.information.firstRegistrationDate ?? '',
    ...exampleRequest,
    odometer: exampleVehicle.status.odometer ?? 0,
    ageMonths: 56,
  },
  estimatedAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2025-03-18T14:05:00.000Z',
};
