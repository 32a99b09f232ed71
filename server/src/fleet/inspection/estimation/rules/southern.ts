import type { Rule } from '../rule.ts';
import { byMassOfTrailer, countryRules, everyUse, heavy, ownUse } from './country-rules.ts';

const reviewedOn = '2026-11-16';

const spain = countryRules('ES', { source: 'Real Decreto 920/2017, art. 6', reviewedOn }, [
  {
    classes: ['M1'],
    // Rentals count as private cars.
    usages: ownUse,
    intervalMonths: [48, 24],
    olderVehicles: [{ ageMonths: 120, intervalMonths: 12 }],
  },
  {
    classes: ['M1', 'N1'],
    usages: ['taxi'],
    intervalMonths: [12],
    olderVehicles: [{ ageMonths: 60, intervalMonths: 6 }],
    confidence: 'medium',
    note: 'The number of the paragraph is not confirmed.',
  },
  {
    classes: ['N1'],
    usages: ownUse,
    intervalMonths: [24],
    olderVehicles: [
      { ageMonths: 72, intervalMonths: 12 },
      { ageMonths: 120, intervalMonths: 6 },
    ],
  },
  {
    classes: ['N2', 'N3'],
    usages: everyUse,
    intervalMonths: [12],
    olderVehicles: [{ ageMonths: 120, intervalMonths: 6 }],
  },
  {
    classes: ['M2', 'M3'],
    usages: everyUse,
    intervalMonths: [12],
    olderVehicles: [{ ageMonths: 60, intervalMonths: 6 }],
  },
  {
    classes: ['L'],
    usages: everyUse,
    intervalMonths: [36, 24],
    confidence: 'medium',
    note: 'The first of mopeds; of other vehicles of the class it is due after 48 months.',
  },
  {
    ...byMassOfTrailer,
    intervalMonths: [12],
    olderVehicles: [{ ageMonths: 120, intervalMonths: 6 }],
  },
]);

const portugal = countryRules(
  'PT',
  { source: 'Decreto-Lei 144/2012, art. 7.º and Anexo I', reviewedOn, fixedAnniversaries: true },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 96, intervalMonths: 12 }],
    },
    { classes: ['N1'], usages: ownUse, intervalMonths: [24, 12] },
    {
      classes: ['M1', 'N1'],
      usages: ['taxi'],
      intervalMonths: [12],
      olderVehicles: [{ ageMonths: 84, intervalMonths: 6 }],
    },
    { classes: ['N2', 'N3'], usages: everyUse, intervalMonths: [12] },
    {
      classes: ['M2', 'M3'],
      usages: everyUse,
      intervalMonths: [12],
      olderVehicles: [{ ageMonths: 84, intervalMonths: 6 }],
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [60, 24],
      source: 'Decreto-Lei 29/2023',
      confidence: 'low',
      note: 'That the inspection of motorcycles has come into effect is not confirmed.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const italy = countryRules(
  'IT',
  { source: 'Codice della strada (D.Lgs. 285/1992), art. 80', reviewedOn, dueBy: 'month' },
  [
    { classes: ['M1', 'N1', 'L'], usages: ownUse, intervalMonths: [48, 24] },
    { classes: ['M1', 'N1', 'L'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const malta = countryRules(
  'MT',
  { source: 'Motor Vehicles Roadworthiness Test Regulations (S.L. 65.15)', reviewedOn },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [48, 12],
      newVehicleInterval: { intervalMonths: 24, odometerBelow: 160_000 },
    },
    { classes: ['M1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    {
      classes: ['N1'],
      usages: everyUse,
      intervalMonths: [12],
      confidence: 'medium',
      note: 'Sources name 12 months for vans and 24 for other goods vehicles up to 3.5 t: the earlier is taken.',
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [24],
      confidence: 'low',
      note: 'The minister fixes it by notice, which was not found.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const greece = countryRules(
  'GR',
  {
    source:
      'Directive 2014/45/EU, Art. 5, as transposed for the ΚΤΕΟ (the Greek decision is not confirmed)',
    reviewedOn,
    confidence: 'medium',
    note: 'Read from what inspection centres publish; the text of the law is not confirmed.',
  },
  [
    { classes: ['M1', 'N1'], usages: ['private'], intervalMonths: [48, 24] },
    { classes: ['L'], usages: everyUse, intervalMonths: [48, 24] },
    {
      classes: ['M1', 'N1'],
      usages: ['rental'],
      intervalMonths: [12],
      confidence: 'low',
      note: 'Whether rental cars are inspected as taxis or as private cars is not confirmed: the earlier is taken.',
    },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const cyprus = countryRules(
  'CY',
  {
    source:
      'Motor Vehicles (Technical Inspection and Inspection Centres) Law of 2007 (section not confirmed)',
    reviewedOn,
    confidence: 'medium',
    note: 'Read from secondary sources; the text of the law is not confirmed.',
  },
  [
    { classes: ['M1'], usages: ['private'], intervalMonths: [48, 24] },
    { classes: ['M1'], usages: ['taxi'], intervalMonths: [12] },
    {
      classes: ['M1'],
      usages: ['rental'],
      intervalMonths: [12],
      confidence: 'low',
      note: 'Whether rental cars count as commercial vehicles is not confirmed: the earlier is taken.',
    },
    {
      classes: ['N1'],
      usages: everyUse,
      intervalMonths: [12],
      confidence: 'low',
      note: 'Sources name 12 months for commercial vehicles, and 48, then 24 for all up to 3.5 t: the earlier is taken.',
    },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [48, 24],
      confidence: 'low',
      note: 'As for cars: no rule for motorcycles was found.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

export const southern: readonly Rule[] = [
  ...spain,
  ...portugal,
  ...italy,
  ...malta,
  ...greece,
  ...cyprus,
];
