import type { Rule } from '../rule.ts';
import { byMassOfTrailer, countryRules, everyUse, heavy, ownUse } from './country-rules.ts';

const reviewedOn = '2026-11-16';

const france = countryRules('FR', { source: 'Code de la route, art. R323-22', reviewedOn }, [
  { classes: ['M1'], usages: ownUse, intervalMonths: [48, 24] },
  {
    classes: ['N1'],
    usages: ownUse,
    intervalMonths: [48, 24],
    note: 'Between two of them there is a check of the emissions, at most a year after each.',
  },
  {
    classes: ['M1', 'N1'],
    usages: ['taxi'],
    intervalMonths: [12],
    source: 'Directive 2014/45/EU, Art. 5(1)(b)',
    confidence: 'medium',
    note: 'The least that the directive asks for; the article of the Code de la route is not confirmed.',
  },
  {
    classes: ['N2', 'N3'],
    usages: everyUse,
    intervalMonths: [12],
    source: 'Code de la route, art. R323-25',
  },
  {
    classes: ['M2', 'M3'],
    usages: everyUse,
    intervalMonths: [6],
    source: 'Code de la route, art. R323-23',
    confidence: 'medium',
    note: 'For public transport of passengers; the article is not confirmed.',
  },
  {
    classes: ['L'],
    usages: everyUse,
    intervalMonths: [60, 36],
    source: 'Décret n° 2023-974',
    validFrom: '2024-04-15',
    confidence: 'medium',
    note: 'Vehicles that were registered before 2022 began at dates of their own.',
  },
  {
    ...byMassOfTrailer,
    intervalMonths: [12],
    source: 'Code de la route, art. R323-25',
  },
]);

const apk = {
  classes: ['M1', 'N1'],
  usages: ownUse,
  anniversaryWindow: { monthsBefore: 2 },
} as const;

const netherlands = countryRules(
  'NL',
  {
    source: 'Wegenverkeerswet 1994, art. 72, with the decree on periods (article not confirmed)',
    reviewedOn,
    validFrom: '2008-01-01',
  },
  [
    { ...apk, fuels: ['petrol', 'electric'], intervalMonths: [48, 24, 24, 12] },
    {
      ...apk,
      fuels: ['hybrid'],
      intervalMonths: [48, 24, 24, 12],
      confidence: 'medium',
      note: 'A hybrid counts as the fuel that it has besides, which is taken for petrol.',
    },
    // Includes unknown, since an estimate that is too early does less harm than one that is too late.
    { ...apk, fuels: ['diesel', 'lpg', 'unknown'], intervalMonths: [36, 12] },
    { ...apk, usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [],
      note: 'Motorcycles and mopeds are not inspected.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const decree = 'Arrêté royal/Koninklijk besluit 15.3.1968, art. 23ter § 1';

const belgianCar = {
  classes: ['M1'],
  usages: ownUse,
  intervalMonths: [48, 12],
  confidence: 'medium',
  note:
    'Every 24 months while the vehicle is young and has not run far, if its last certificate came in time and without a ' +
    'restriction and it tows no heavy trailer, which is not known.',
} as const;

const belgium = [
  ...countryRules('BE', { source: decree, reviewedOn }, [
    {
      ...belgianCar,
      confidence: 'low',
      note: 'The region is not known (BE-BRU, BE-VLG, BE-WAL); in each of them, some vehicles are due every 24 months only.',
    },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [6], source: `${decree} 2°` },
    {
      classes: ['N1'],
      usages: ownUse,
      intervalMonths: [12],
      confidence: 'medium',
      note: 'The number of the paragraph is not confirmed.',
    },
    { classes: ['M2', 'M3'], usages: everyUse, intervalMonths: [6] },
    {
      classes: ['N2', 'N3'],
      usages: everyUse,
      intervalMonths: [6],
      confidence: 'low',
      note: 'Six months or twelve, by region and mass: the earlier is taken.',
    },
    {
      ...byMassOfTrailer,
      intervalMonths: [6],
      confidence: 'low',
      note: 'Six months or twelve, by region and mass: the earlier is taken.',
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [],
      confidence: 'medium',
      note: 'Motorcycles are inspected when they are sold or were damaged, and not periodically.',
    },
  ]),
  ...countryRules('BE-BRU', { source: decree, reviewedOn }, [
    {
      ...belgianCar,
      newVehicleInterval: {
        intervalMonths: 24,
        ageMonths: 72,
        ageIncluded: true,
        odometerBelow: 100_000,
      },
    },
  ]),
  ...countryRules('BE-VLG', { source: decree, reviewedOn, validFrom: '2024-07-01' }, [
    {
      ...belgianCar,
      newVehicleInterval: { intervalMonths: 24, ageMonths: 96, odometerBelow: 160_000 },
    },
  ]),
  ...countryRules('BE-WAL', { source: decree, reviewedOn, validFrom: '2025-01-01' }, [
    {
      ...belgianCar,
      newVehicleInterval: { intervalMonths: 24, ageMonths: 96, odometerBelow: 110_000 },
    },
  ]),
];

const luxembourg = countryRules(
  'LU',
  {
    source:
      'Loi modifiée du 14 février 1955 and règlement grand-ducal du 26 janvier 2016 (article not confirmed)',
    reviewedOn,
    validFrom: '2016-02-01',
    anniversaryWindow: { monthsBefore: 1 },
  },
  [
    {
      classes: ['M1'],
      usages: ['private'],
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 72, intervalMonths: 12 }],
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 72, intervalMonths: 12 }],
    },
    {
      classes: ['M1'],
      usages: ['rental'],
      intervalMonths: [12],
      confidence: 'medium',
      note: 'For cars that are registered as hire cars; whether self-drive rental counts as such is not confirmed.',
    },
    { classes: ['M1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: ['N1', ...heavy], usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const act = 'Road Traffic Act 1988, s. 47';

const britain = [
  ...countryRules('GB', { source: act, reviewedOn }, [
    {
      classes: ['M1', 'N1', 'L'],
      usages: ownUse,
      intervalMonths: [36, 12],
      anniversaryWindow: { monthsBefore: 1, lessOneDay: true },
    },
    {
      classes: ['M1', 'N1'],
      usages: ['taxi'],
      intervalMonths: [12],
      anniversaryWindow: { monthsBefore: 1, lessOneDay: true },
      confidence: 'medium',
      note: 'The licensing authority may ask for it more often.',
    },
    { classes: ['M2', 'M3'], usages: everyUse, intervalMonths: [12], source: `${act}(3)` },
    {
      classes: ['N2', 'N3'],
      usages: everyUse,
      intervalMonths: [12],
      source: 'Goods Vehicles (Plating and Testing) Regulations 1988',
    },
    {
      ...byMassOfTrailer,
      intervalMonths: [12],
      source: 'Goods Vehicles (Plating and Testing) Regulations 1988',
    },
  ]),
  ...countryRules(
    'GB-NIR',
    {
      source: 'Motor Vehicle Testing Regulations (Northern Ireland) 2003',
      reviewedOn,
      confidence: 'medium',
      note: 'Sources disagree on the details.',
      anniversaryWindow: { monthsBefore: 1, lessOneDay: true },
    },
    [
      { classes: ['M1', 'L'], usages: ownUse, intervalMonths: [48, 12] },
      { classes: ['N1'], usages: ownUse, intervalMonths: [36, 12] },
    ],
  ),
];

const ireland = countryRules(
  'IE',
  {
    source: 'Road Traffic (National Car Test) Regulations 2017 (S.I. 415/2017), reg. 3',
    reviewedOn,
  },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 120, intervalMonths: 12 }],
      fixedAnniversaries: true,
    },
    {
      classes: ['M1'],
      usages: ['taxi'],
      intervalMonths: [12],
      olderVehicles: [{ ageMonths: 120, intervalMonths: 6 }],
      confidence: 'medium',
      note: 'Counted from the application for the licence, which is not known.',
    },
    {
      classes: ['N1', ...heavy],
      usages: everyUse,
      intervalMonths: [12],
      fixedAnniversaries: true,
      source:
        'Road Safety Authority (Commercial Vehicle Roadworthiness) Act 2012 (section not confirmed)',
    },
    {
      ...byMassOfTrailer,
      intervalMonths: [12],
      source:
        'Road Safety Authority (Commercial Vehicle Roadworthiness) Act 2012 (section not confirmed)',
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [],
      confidence: 'medium',
      note: 'Motorcycles are not inspected periodically.',
    },
  ],
);

export const western: readonly Rule[] = [
  ...france,
  ...netherlands,
  ...belgium,
  ...luxembourg,
  ...britain,
  ...ireland,
];
