import type { Rule } from './rule.ts';

/**
 * Start of rules whose source names none: the day from which Directive 2014/45/EU applied in all member states, then
 * including the United Kingdom.
 */
const directiveStart = '2018-05-20';

/** Shared by most rows. */
const defaults = {
  usages: ['private'],
  category: 'car',
  dueBy: 'day',
  validFrom: directiveStart,
  confidence: 'high',
} as const;

const germany = {
  ...defaults,
  country: 'DE',
  dueBy: 'month',
  // Since then, a late inspection is no longer dated back.
  validFrom: '2012-07-01',
  source: 'service.berlin.de/326039',
} as const;

const switzerland = {
  ...defaults,
  country: 'CH',
  usages: ['private', 'rental'],
  validFrom: '2017-02-01',
  source: 'agvs-sh.ch; Art. 33 VTS',
} as const;

const netherlands = {
  ...defaults,
  country: 'NL',
  anniversaryWindow: { monthsBefore: 2 },
  validFrom: '2008-01-01',
  source: 'infopolitie.nl',
} as const;

const britain = {
  ...defaults,
  country: 'GB',
  anniversaryWindow: { monthsBefore: 1, lessOneDay: true },
  source: 'gov.uk/getting-an-mot',
} as const;

const belgium = {
  ...defaults,
  intervalMonths: [48, 12],
  source: 'controle-technique.be',
  confidence: 'medium',
  note:
    'Every 24 months while the vehicle is young and has not run far, if its last certificate came in time and without a ' +
    'restriction and it tows no heavy trailer, which is not known.',
} as const;

const sweden = {
  ...defaults,
  country: 'SE',
  dueBy: 'month',
  validFrom: '2018-05-20',
  source: 'fp-skane.se',
} as const;

const poland = { ...defaults, country: 'PL', source: 'Prawo o ruchu drogowym, art. 81' } as const;

const union = {
  ...defaults,
  country: 'EU',
  source: 'Directive 2014/45/EU, Article 5',
  note: 'The least that the directive asks for; the country may ask for more.',
} as const;

/** A change of the law is another row with a later `validFrom`; the row before it stays. */
export const rules: readonly Rule[] = [
  { ...germany, intervalMonths: [36, 24] },
  {
    ...germany,
    usages: ['rental'],
    intervalMonths: [12],
    note: 'For self-drive rental and car sharing; the first after 36 months if one renter has the car for a year or longer.',
  },
  { ...germany, usages: ['taxi'], intervalMonths: [12] },
  {
    ...defaults,
    country: 'AT',
    intervalMonths: [36, 24, 12],
    anniversaryWindow: { monthsBefore: 1, monthsAfter: 4, wholeMonths: true },
    source: 'kurier.at; § 57a KFG',
    note: 'A reform to 48, 24, 24, 24, then 12 months passed the cabinet on 2025-12-03; that it became law is not confirmed.',
  },
  {
    ...switzerland,
    intervalMonths: [60, 36, 24],
    note: 'The authority summons the keeper; the first is due after 72 months at the latest.',
  },
  { ...switzerland, category: 'van', intervalMonths: [48, 36, 24] },
  { ...switzerland, usages: ['taxi'], intervalMonths: [12] },
  {
    ...defaults,
    country: 'FR',
    intervalMonths: [48, 24],
    source: 'questions.assemblee-nationale.fr',
  },
  { ...netherlands, fuels: ['petrol', 'electric'], intervalMonths: [48, 24, 24, 12] },
  {
    ...netherlands,
    fuels: ['hybrid'],
    intervalMonths: [48, 24, 24, 12],
    confidence: 'medium',
    note: 'A hybrid counts as the fuel that it has besides, which is taken for petrol.',
  },
  // Includes unknown, since an estimate that is too early does less harm than one that is too late.
  { ...netherlands, fuels: ['diesel', 'lpg', 'unknown'], intervalMonths: [36, 12] },
  { ...britain, usages: ['private', 'rental'], intervalMonths: [36, 12] },
  {
    ...britain,
    usages: ['taxi'],
    intervalMonths: [12],
    confidence: 'medium',
    note: 'The licensing authority may ask for it more often.',
  },
  {
    ...britain,
    country: 'GB-NIR',
    intervalMonths: [48, 12],
    source: 'nidirect.gov.uk',
    confidence: 'medium',
    note: 'Sources disagree on the details.',
  },
  {
    ...defaults,
    country: 'ES',
    // Royal Decree 920/2017 treats rentals as private cars.
    usages: ['private', 'rental'],
    // Every 24 months up to an age of ten years.
    intervalMonths: [48, 24, 24, 24, 12],
    validFrom: '2018-05-20',
    source: 'citaprevia.cat; Real Decreto 920/2017',
  },
  {
    ...defaults,
    country: 'IT',
    intervalMonths: [48, 24],
    dueBy: 'month',
    source: 'centrorevisionibz.it',
  },
  {
    ...belgium,
    country: 'BE',
    confidence: 'low',
    note: 'The region is not known (BE-BRU, BE-VLG, BE-WAL); in each of them, some vehicles are due every 24 months only.',
  },
  {
    ...belgium,
    country: 'BE-BRU',
    newVehicleInterval: {
      intervalMonths: 24,
      ageMonths: 72,
      ageIncluded: true,
      odometerBelow: 100_000,
    },
  },
  {
    ...belgium,
    country: 'BE-VLG',
    newVehicleInterval: {
      intervalMonths: 24,
      ageMonths: 96,
      ageIncluded: false,
      odometerBelow: 160_000,
    },
    validFrom: '2024-07-01',
  },
  {
    ...belgium,
    country: 'BE-WAL',
    newVehicleInterval: {
      intervalMonths: 24,
      ageMonths: 96,
      ageIncluded: false,
      odometerBelow: 110_000,
    },
    validFrom: '2025-01-01',
  },
  { ...sweden, intervalMonths: [36, 24, 14] },
  { ...sweden, usages: ['rental', 'taxi'], intervalMonths: [12] },
  {
    ...poland,
    fuels: ['petrol', 'diesel', 'electric', 'hybrid', 'unknown'],
    intervalMonths: [36, 24, 12],
  },
  { ...poland, fuels: ['lpg'], intervalMonths: [12] },
  { ...poland, usages: ['taxi'], intervalMonths: [12] },
  { ...union, intervalMonths: [48, 24], confidence: 'low' },
  { ...union, usages: ['taxi'], intervalMonths: [12], confidence: 'medium' },
];
