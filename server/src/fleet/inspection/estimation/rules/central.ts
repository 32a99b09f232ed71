import type { Rule } from '../rule.ts';
import { byMassOfTrailer, countryRules, everyUse, heavy, ownUse } from './country-rules.ts';

const reviewedOn = '2026-11-16';

const annex = 'StVZO § 29 Abs. 1, Anlage VIII';

const germany = countryRules(
  'DE',
  // Since then, a late inspection is no longer dated back.
  { source: `${annex} Nr. 2.1`, reviewedOn, validFrom: '2012-07-01', dueBy: 'month' },
  [
    {
      classes: ['M1'],
      usages: ['private'],
      intervalMonths: [36, 24],
      source: `${annex} Nr. 2.1.2`,
    },
    {
      classes: ['N1'],
      usages: ['private'],
      intervalMonths: [24],
      source: `${annex} Nr. 2.1.4`,
      note: 'Motor caravans up to 3.5 t: 36, then 24 months.',
    },
    {
      classes: ['L'],
      usages: ['private', 'taxi'],
      intervalMonths: [24],
      source: `${annex} Nr. 2.1.1`,
    },
    {
      classes: ['M1', 'N1', 'L'],
      usages: ['rental'],
      intervalMonths: [12],
      source: `${annex} Nr. 2.2`,
      note: 'For self-drive rental and car sharing; of cars the first after 36 months if one renter has it for a year or longer.',
    },
    {
      classes: ['M1', 'N1'],
      usages: ['taxi'],
      intervalMonths: [12],
      source: `${annex} Nr. 2.1.2`,
    },
    {
      classes: heavy,
      usages: everyUse,
      intervalMonths: [12],
      source: `${annex} Nr. 2.1.3 and 2.1.4`,
      note: 'Buses, and lorries above 7.5 t, have safety inspections in between.',
    },
    { ...byMassOfTrailer, intervalMonths: [12], source: `${annex} Nr. 2.1.5` },
  ],
);

const austria = countryRules(
  'AT',
  {
    source: 'KFG 1967 § 57a Abs. 3',
    reviewedOn,
    confidence: 'medium',
    note: 'A reform to 48, 24, 24, 24, then 12 months passed the cabinet on 2025-12-03; that it became law is not confirmed.',
  },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [36, 24, 12],
      anniversaryWindow: { monthsBefore: 1, monthsAfter: 4, wholeMonths: true },
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [12],
      anniversaryWindow: { monthsBefore: 1, monthsAfter: 4, wholeMonths: true },
    },
    {
      classes: ['M1'],
      usages: ['taxi'],
      intervalMonths: [12],
      anniversaryWindow: { monthsBefore: 3, wholeMonths: true },
    },
    {
      classes: ['N1', ...heavy],
      usages: everyUse,
      intervalMonths: [12],
      anniversaryWindow: { monthsBefore: 3, wholeMonths: true },
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const switzerland = countryRules(
  'CH',
  { source: 'VTS (SR 741.41) Art. 33 Abs. 2', reviewedOn, validFrom: '2017-02-01' },
  [
    {
      classes: ['M1', 'L'],
      usages: ownUse,
      intervalMonths: [60, 36, 24],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. c',
      note: 'The authority summons the keeper; the first is due after 72 months at the latest.',
    },
    {
      classes: ['N1'],
      usages: ownUse,
      intervalMonths: [48, 36, 24],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. b',
    },
    {
      classes: ['M1', 'N1', 'L'],
      usages: ['taxi'],
      intervalMonths: [12],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. a',
    },
    {
      classes: ['M3'],
      usages: everyUse,
      intervalMonths: [12],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. a',
    },
    {
      classes: ['M2'],
      usages: everyUse,
      intervalMonths: [12],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. a and b',
      confidence: 'medium',
      note: 'Minibuses up to 3.5 t are due after 48, 36, then 24 months; the mass is not known.',
    },
    {
      classes: ['N2', 'N3'],
      usages: everyUse,
      intervalMonths: [24, 24, 12],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. abis',
    },
    {
      ...byMassOfTrailer,
      intervalMonths: [24, 24, 12],
      source: 'VTS (SR 741.41) Art. 33 Abs. 2 Bst. abis and c',
    },
  ],
);

const liechtenstein = countryRules(
  'LI',
  { source: 'VTS (LGBl. 1996 Nr. 143) Art. 33 Abs. 2', reviewedOn, validFrom: '2019-08-30' },
  [
    { classes: ['M1', 'N1', 'L'], usages: ownUse, intervalMonths: [48, 24] },
    { classes: ['M1', 'N1', 'L'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

export const central: readonly Rule[] = [...germany, ...austria, ...switzerland, ...liechtenstein];
