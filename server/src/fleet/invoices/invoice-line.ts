import Type, { type Static } from 'typebox';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';

/** A closed list, so that costs can be summed by kind. */
export const costKinds = [
  'energy',
  'fuel',
  'maintenance',
  'repair',
  'tyres',
  'insurance',
  'tax',
  'leasing',
  'parking',
  'toll',
  'cleaning',
  'fine',
  'other',
] as const;
export type CostKind = (typeof costKinds)[number];

/** Codes of UNTDID 5305 that EN 16931 admits. */
export const vatCategories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;

/** A decimal as text, since a JSON number would be read as a binary fraction. */
function decimalText(description: string, example: string, { signed = false } = {}) {
  return Type.String({
    maxLength: 30,
    pattern: `^${signed ? '-?' : ''}(0|[1-9][0-9]{0,11})(\\.[0-9]{1,10})?$`,
    description: `${description} An exact decimal, as a string.`,
    examples: [example],
  });
}

export function amount(description: string, example: number) {
  return Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description} In the minor unit of the currency.`,
    examples: [example],
  });
}

export function shortText(description: string, example: string, maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, description, examples: [example] });
}

export const vatCategory = {
  type: 'string',
  default: 'S',
  description:
    'The VAT category, a code of UNTDID 5305: S standard and reduced rates, Z zero rate, E exempt, AE reverse charge, ' +
    'K intra-community supply, G export, O outside the scope of VAT, L Canary Islands, M Ceuta and Melilla.',
  examples: ['S'],
} as const;

export const vatRate = decimalText(
  'The VAT rate in percent. Needed in the categories S, L and M; 0 in the others, and none in O.',
  '19',
);

const allowanceProperties = {
  amount: amount('Without VAT.', 1_000),
  baseAmount: Type.Optional(amount('What the percentage is taken of.', 20_000)),
  percentage: Type.Optional(decimalText('The percentage of the base amount.', '5')),
  reason: Type.Optional(shortText('Why.', 'Fleet discount', 1_000)),
  reasonCode: Type.Optional(
    shortText(
      'Why, as a code: of UNTDID 5189 for an allowance, of UNTDID 7161 for a charge.',
      '95',
      10,
    ),
  ),
};

const LineAllowanceSchema = Type.Object(allowanceProperties, {
  $id: 'InvoiceLineAllowance',
  additionalProperties: false,
  description: 'An allowance or a charge on a line.',
});

export const DocumentAllowanceSchema = Type.Object(
  {
    ...allowanceProperties,
    vatCategory: Type.Optional(Type.Enum([...vatCategories], vatCategory)),
    vatRate: Type.Optional(vatRate),
  },
  {
    $id: 'InvoiceAllowance',
    additionalProperties: false,
    description: 'An allowance or a charge on the whole invoice.',
  },
);
export type DocumentAllowance = Static<typeof DocumentAllowanceSchema>;

export const ServicePeriodSchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({ format: 'date', description: 'Its first day.', examples: ['2026-10-01'] }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date', description: 'Its last day.', examples: ['2026-10-31'] }),
    ),
  },
  {
    $id: 'ServicePeriod',
    additionalProperties: false,
    description: 'The days that it is charged for.',
  },
);

const linkTo = (what: string) => `The ${what} of the vehicle that the line charges.`;

/** Links that need the vehicle; each is cleared when its record is deleted. */
const links = {
  chargingSessionId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: linkTo('charging session') }),
  ),
  maintenanceReportId: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        `${linkTo('maintenance report')} ` +
        'Without a logbook entry, the line is linked to the one that tells of its completion, too.',
    }),
  ),
  logbookEntryId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: `${linkTo('logbook entry')} Its cost is then counted by the invoice alone.`,
    }),
  ),
  incidentId: Type.Optional(Type.String({ format: 'uuid', description: linkTo('incident') })),
};

const lineNumber = shortText(
  'Its number on the invoice; when left out, its place, from 1 on.',
  '1',
  50,
);
const unit = {
  maxLength: 3,
  pattern: '^[A-Z0-9]{1,3}$',
  description:
    'The unit of the quantity, a code of UN/ECE Recommendation 20 or 21: C62 one, HUR hour, KWH, LTR, MON month.',
  examples: ['HUR'],
};
const quantity = decimalText('How much; negative for what is taken back.', '1.5', { signed: true });
const unitPrice = decimalText(
  'The net price of the base quantity, in the major unit of the currency.',
  '98.5',
);
const priceBaseQuantity = decimalText('The quantity that the price is for.', '1');
const kind = {
  type: 'string',
  description: 'What it is spent on.',
  examples: ['maintenance'],
} as const;
const netAmount = amount(
  'Quantity times price, less allowances, plus charges, rounded half up; without VAT.',
  14_775,
);

const described = {
  text: shortText('What is charged.', 'Labour, annual service', 1_000),
  description: Type.Optional(
    shortText('What is charged, at length.', 'Brake fluid changed', 10_000),
  ),
  allowances: Type.Optional(Type.Array(LineAllowanceSchema, { maxItems: 100 })),
  charges: Type.Optional(Type.Array(LineAllowanceSchema, { maxItems: 100 })),
  vatRate: Type.Optional(vatRate),
  servicePeriod: Type.Optional(ServicePeriodSchema),
  vehicleId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxVehicleIdLength,
      description: 'The vehicle that it is spent on; cleared when the vehicle is deleted.',
      examples: [exampleVehicle.asset.id],
    }),
  ),
  ...links,
};

/** Unknown values are absent. */
export const InvoiceLineSchema = Type.Object(
  {
    lineNumber,
    ...described,
    kind: Type.Enum([...costKinds], kind),
    quantity,
    unit: Type.String(unit),
    unitPrice,
    priceBaseQuantity,
    netAmount,
    vatCategory: Type.Enum([...vatCategories], vatCategory),
  },
  { $id: 'InvoiceLine', additionalProperties: false },
);
export type InvoiceLine = Static<typeof InvoiceLineSchema>;

export const InvoiceLineRequestSchema = Type.Object(
  {
    lineNumber: Type.Optional(lineNumber),
    ...described,
    kind: Type.Optional(Type.Enum([...costKinds], { ...kind, default: 'other' })),
    quantity: Type.Optional({ ...quantity, default: '1' }),
    unit: Type.Optional(Type.String({ ...unit, default: 'C62' })),
    unitPrice,
    priceBaseQuantity: Type.Optional({ ...priceBaseQuantity, default: '1' }),
    netAmount: Type.Optional(netAmount),
    vatCategory: Type.Optional(Type.Enum([...vatCategories], vatCategory)),
  },
  { $id: 'InvoiceLineRequest', additionalProperties: false },
);
export type InvoiceLineRequest = Static<typeof InvoiceLineRequestSchema>;
