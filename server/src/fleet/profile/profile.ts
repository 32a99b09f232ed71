import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { timeZoneNamed } from '../../platform/time/time-zone.ts';
import { isCurrency } from '../cost.ts';
import { isCountry } from '../country.ts';
import { usages, usageTexts, vehicleClasses, vehicleClassTexts } from '../vehicle-use.ts';

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] });

const AddressSchema = Type.Object(
  {
    street: Type.Optional(text(200, 'Street and number.', 'Hafenstraße 12')),
    postalCode: Type.Optional(text(20, 'Postal code.', '20457')),
    city: Type.Optional(text(100, 'City.', 'Hamburg')),
    region: Type.Optional(text(100, 'State, province or canton.', 'Hamburg')),
    countryCode: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'An ISO 3166-1 code.',
        examples: ['DE'],
      }),
    ),
  },
  { $id: 'ProviderAddress', additionalProperties: false, description: 'The postal address.' },
);

const ContactSchema = Type.Object(
  {
    name: Type.Optional(text(200, 'A person or a department.', 'Fleet management')),
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        description: 'E-mail address.',
        examples: ['fleet@example.com'],
      }),
    ),
    phone: Type.Optional(
      Type.String({
        maxLength: 31,
        pattern: '^\\+?[0-9][0-9 ()/.-]{2,29}$',
        description: 'Telephone number.',
        examples: ['+49 40 1234567'],
      }),
    ),
  },
  { $id: 'ProviderContact', additionalProperties: false, description: 'Whom to turn to.' },
);

const name = text(200, 'The name of the asset provider.', 'Hafen Mobil');

const timeZone = {
  maxLength: 100,
  description:
    'A time zone of the IANA database. Dates such as today, by which maintenance and inspections are due, are those of its calendar.',
  examples: ['Europe/Berlin'],
};
const locale = {
  maxLength: 100,
  description: 'A language tag of BCP 47, for texts, dates and numbers in documents.',
  examples: ['de-DE'],
};
const currency = {
  pattern: '^[A-Z]{3}$',
  description: 'An ISO 4217 code: three capital letters.',
  examples: ['EUR'],
};
const byCountry = 'When left out, that of the country of the asset provider.';
const optionalText = (options: { description: string }) =>
  Type.Optional(Type.String({ ...options, description: `${options.description} ${byCountry}` }));

const optional = {
  legalForm: Type.Optional(text(100, 'The legal form.', 'GmbH')),
  address: Type.Optional(AddressSchema),
  contact: Type.Optional(ContactSchema),
  vatId: Type.Optional(
    Type.String({
      maxLength: 21,
      pattern: '^[A-Z]{2}[0-9A-Z+*][0-9A-Z+*. -]{1,18}$',
      description: 'The VAT identification number, with the prefix of its country.',
      examples: ['DE123456789'],
    }),
  ),
  defaultVehicleClass: Type.Optional(
    Type.Enum([...vehicleClasses], {
      ...vehicleClassTexts,
      description: `${vehicleClassTexts.description} That of vehicles for which none is recorded, instead of what the model suggests.`,
    }),
  ),
  electricityPricePerKwh: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'The default tariff of electricity: the price of a kWh in `currency`, taxes included.',
      examples: [0.3149],
    }),
  ),
  positionRetentionDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description:
        'After how many days positions are erased from the history; odometer and level stay. When left out, positions are kept as ' +
        'long as the history.',
      examples: [90],
    }),
  ),
};

const erasePositionsWithCustomer = {
  description:
    'Whether the erasure of a customer also erases the positions of the vehicles in the periods in which the customer was one of ' +
    'their drivers: in the history, in charging sessions, and as the last known one. Odometer and level stay.',
  examples: [true],
};

const defaultUsage = {
  ...usageTexts,
  description: `${usageTexts.description} That of vehicles for which none is recorded.`,
};

export const ProfileSchema = Type.Object(
  {
    name,
    ...optional,
    timeZone: Type.String(timeZone),
    locale: Type.String(locale),
    currency: Type.String(currency),
    defaultUsage: Type.Enum([...usages], defaultUsage),
    erasePositionsWithCustomer: Type.Boolean(erasePositionsWithCustomer),
    updatedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the profile was last written; absent while it never was.',
      }),
    ),
  },
  { $id: 'Profile', additionalProperties: false },
);
export type Profile = Static<typeof ProfileSchema>;

export const ProfileRequestSchema = Type.Object(
  {
    name,
    ...optional,
    timeZone: optionalText(timeZone),
    locale: optionalText(locale),
    currency: optionalText(currency),
    defaultUsage: Type.Optional(Type.Enum([...usages], { ...defaultUsage, default: 'private' })),
    erasePositionsWithCustomer: Type.Optional(
      Type.Boolean({ ...erasePositionsWithCustomer, default: false }),
    ),
    updatedAt: readOnly,
  },
  { $id: 'ProfileRequest', additionalProperties: false },
);
export type ProfileRequest = Static<typeof ProfileRequestSchema>;

export function profileIssues(request: ProfileRequest): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const check = (
    pointer: string,
    value: string | undefined,
    detailOf: (value: string) => string | undefined,
  ) => {
    const detail = value === undefined ? undefined : detailOf(value);
    if (detail !== undefined) issues.push({ pointer, detail });
  };
  check('/timeZone', request.timeZone, (value) => {
    const known = timeZoneNamed(value);
    if (known === value) return undefined;
    if (known === undefined) return `timeZone: ${value} is not a time zone of the IANA database.`;
    return `timeZone: ${value} is spelt ${known}.`;
  });
  check('/locale', request.locale, (value) =>
    canonicalLocale(value) === undefined
      ? `locale: ${value} is not a language tag of BCP 47.`
      : undefined,
  );
  check('/currency', request.currency, (value) =>
    isCurrency(value) ? undefined : `currency: ${value} is not a currency of ISO 4217.`,
  );
  check('/address/countryCode', request.address?.countryCode, (value) =>
    isCountry(value) ? undefined : `countryCode: ${value} is not a country of ISO 3166-1.`,
  );
  return issues;
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The tag in its canonical form (`de-DE` for `de-de`); undefined where it is none, or of no known language. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    const locale = new Intl.Locale(tag);
    return languages.of(locale.language) === undefined ? undefined : locale.toString();
  } catch {
    return undefined;
  }
}

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('profile');

export const exampleRequest = {
  name: 'Hafen Mobil',
  legalForm: 'GmbH',
  address: { street: 'Hafenstraße 12', postalCode: '20457', city: 'Hamburg', countryCode: 'DE' },
  contact: { name: 'Fleet management', email: 'fleet@example.com', phone: '+49 40 1234567' },
  timeZone: 'Europe/Berlin',
  locale: 'de-DE',
  currency: 'EUR',
  vatId: 'DE123456789',
  defaultVehicleClass: 'M1',
  defaultUsage: 'rental',
  electricityPricePerKwh: 0.3149,
  positionRetentionDays: 90,
  erasePositionsWithCustomer: true,
} satisfies ProfileRequest;

export const exampleProfile: Profile = { ...exampleRequest, updatedAt: '2026-11-02T09:15:00.000Z' };
