import type { Rule } from '../rule.ts';
import { byMassOfTrailer, countryRules, everyUse, heavy, ownUse } from './country-rules.ts';

const reviewedOn = '2026-11-16';

const estonia = countryRules(
  'EE',
  {
    source: 'Liiklusseadus § 73; majandus- ja kommunikatsiooniministri määrus nr 77 (2011)',
    reviewedOn,
  },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [36, 24],
      olderVehicles: [{ ageMonths: 120, intervalMonths: 12 }],
      confidence: 'medium',
      note: 'The first falls between 36 and 48 months, in a month that the number plate gives: the earliest is taken.',
    },
    {
      classes: ['N1'],
      usages: ownUse,
      intervalMonths: [12],
      confidence: 'medium',
      note: 'The first falls between 12 and 24 months, in a month that the number plate gives: the earliest is taken.',
    },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [36, 24],
      olderVehicles: [{ ageMonths: 120, intervalMonths: 12 }],
      note: 'Mopeds and light quadricycles are not inspected.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const latvia = countryRules(
  'LV',
  { source: 'Ceļu satiksmes likums, 16. pants; MK noteikumi Nr. 295 (2017)', reviewedOn },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [24, 24],
      olderVehicles: [{ ageMonths: 48, intervalMonths: 12 }],
    },
    {
      classes: ['M1', 'N1'],
      usages: ['taxi'],
      intervalMonths: [6],
      source: 'MK noteikumi Nr. 466 (2004), 3. punkts',
      confidence: 'medium',
      note: 'Twice a year by the former regulation; that the present one asks for it as well is not confirmed.',
    },
    { classes: ['N1', 'N2', 'N3'], usages: ownUse, intervalMonths: [12] },
    {
      classes: ['M2', 'M3'],
      usages: everyUse,
      intervalMonths: [6],
      source: 'MK noteikumi Nr. 466 (2004), 3. punkts',
      confidence: 'medium',
      note: 'Twice a year by the former regulation; that the present one asks for it as well is not confirmed.',
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [24],
      confidence: 'low',
      note: 'The interval of motorcycles is not confirmed.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const lithuania = countryRules(
  'LT',
  {
    source:
      'Susisiekimo ministro įsakymas Nr. 3-406 (2008), Privalomosios techninės apžiūros atlikimo tvarkos aprašas',
    reviewedOn,
  },
  [
    { classes: ['M1'], usages: ownUse, intervalMonths: [36, 24] },
    {
      classes: ['M1', 'N1'],
      usages: ['taxi'],
      intervalMonths: [12],
      olderVehicles: [{ ageMonths: 60, intervalMonths: 6 }],
    },
    { classes: ['N1'], usages: ownUse, intervalMonths: [24, 12] },
    { classes: ['N2', 'N3'], usages: everyUse, intervalMonths: [12] },
    { classes: ['M2', 'M3'], usages: everyUse, intervalMonths: [12, 6] },
    { classes: ['L'], usages: everyUse, intervalMonths: [36, 24] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

export const baltic: readonly Rule[] = [...estonia, ...latvia, ...lithuania];
