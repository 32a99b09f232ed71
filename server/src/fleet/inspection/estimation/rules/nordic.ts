import type { Rule } from '../rule.ts';
import { byMassOfTrailer, countryRules, everyUse, heavy, ownUse } from './country-rules.ts';

const reviewedOn = '2026-11-16';

const sweden = countryRules(
  'SE',
  { source: 'Fordonsförordning (2009:211), 6 kap.', reviewedOn, dueBy: 'month' },
  [
    { classes: ['M1', 'N1'], usages: ['private'], intervalMonths: [36, 24, 14] },
    { classes: ['M1', 'N1'], usages: ['rental', 'taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [48, 24],
      confidence: 'medium',
      note: 'For motorcycles; the paragraph is not confirmed.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const finland = countryRules(
  'FI',
  {
    source: 'Valtioneuvoston asetus 1245/2002; Ajoneuvolaki 82/2021 (section not confirmed)',
    reviewedOn,
  },
  [
    {
      classes: ['M1', 'N1'],
      usages: ownUse,
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 120, intervalMonths: 12 }],
    },
    { classes: ['M1', 'N1', 'L'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    {
      classes: ['L'],
      usages: ownUse,
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 120, intervalMonths: 12 }],
      confidence: 'low',
      note: 'For heavy quadricycles (L7e); motorcycles and mopeds are not inspected, and which it is, is not known.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const denmark = countryRules(
  'DK',
  { source: 'Bekendtgørelse nr. 1685 af 16. december 2025, § 41', reviewedOn },
  [
    { classes: ['M1', 'N1'], usages: ['private'], intervalMonths: [48, 24] },
    {
      classes: ['M1', 'N1', 'L'],
      usages: ['rental'],
      intervalMonths: [24],
      source: 'Bekendtgørelse nr. 2114 af 25. november 2021, § 56',
      confidence: 'medium',
      note: 'For letting without a driver; that it still holds for cars is not confirmed, and the earlier is taken.',
    },
    {
      classes: ['M1', 'N1'],
      usages: ['taxi'],
      intervalMonths: [12],
      source: 'Bekendtgørelse nr. 2114 af 25. november 2021, § 56',
    },
    {
      classes: heavy,
      usages: everyUse,
      intervalMonths: [12],
      source: 'Bekendtgørelse nr. 2114 af 25. november 2021, § 56',
    },
    {
      classes: ['L'],
      usages: ['private', 'taxi'],
      intervalMonths: [],
      source: 'Bekendtgørelse nr. 2114 af 25. november 2021, § 56',
      confidence: 'medium',
      note: 'Motorcycles in private use are not inspected periodically.',
    },
    {
      ...byMassOfTrailer,
      intervalMonths: [12],
      source: 'Bekendtgørelse nr. 2114 af 25. november 2021, § 56',
    },
  ],
);

const norway = countryRules(
  'NO',
  {
    source: 'Forskrift om periodisk kontroll av kjøretøy (FOR-2009-05-13-591)',
    reviewedOn,
    validFrom: '2019-02-08',
  },
  [
    { classes: ['M1', 'N1'], usages: ownUse, intervalMonths: [48, 24] },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: ['N3', 'M2', 'M3'], usages: everyUse, intervalMonths: [12] },
    {
      classes: ['N2'],
      usages: everyUse,
      intervalMonths: [12],
      confidence: 'medium',
      note: 'Above 7.5 t; that lighter lorries are due as often is not confirmed, and the earlier is taken.',
    },
    {
      classes: ['L'],
      usages: everyUse,
      intervalMonths: [],
      confidence: 'medium',
      note: 'Motorcycles and mopeds are not inspected periodically.',
    },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const iceland = countryRules(
  'IS',
  { source: 'Reglugerð um skoðun ökutækja (nr. 414/2021; article not confirmed)', reviewedOn },
  [
    {
      classes: ['M1', 'N1', 'L'],
      usages: ownUse,
      intervalMonths: [36, 24, 24, 12],
      confidence: 'low',
      note:
        'In the fourth calendar year after that of the registration, in a month that the number plate gives: the earliest ' +
        'of these days is not before 36 months.',
    },
    { classes: ['M1', 'N1', 'L'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

export const nordic: readonly Rule[] = [...sweden, ...finland, ...denmark, ...norway, ...iceland];
