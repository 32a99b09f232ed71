import type { Rule } from '../rule.ts';
import { byMassOfTrailer, countryRules, everyUse, heavy, ownUse } from './country-rules.ts';

const reviewedOn = '2026-11-16';

const polishCar = {
  classes: ['M1', 'N1', 'L'],
  usages: ownUse,
  intervalMonths: [36, 24],
  olderVehicles: [{ ageMonths: 60, intervalMonths: 12 }],
} as const;

const poland = countryRules('PL', { source: 'Prawo o ruchu drogowym, art. 81', reviewedOn }, [
  { ...polishCar, fuels: ['petrol', 'diesel', 'electric', 'hybrid', 'unknown'] },
  { ...polishCar, fuels: ['lpg'], intervalMonths: [12], olderVehicles: [] },
  { classes: ['M1', 'N1', 'L'], usages: ['taxi'], intervalMonths: [12] },
  { classes: heavy, usages: everyUse, intervalMonths: [12] },
  { ...byMassOfTrailer, intervalMonths: [12] },
]);

const czechia = countryRules('CZ', { source: 'Zákon č. 56/2001 Sb., § 40', reviewedOn }, [
  { classes: ['M1', 'N1'], usages: ['private'], intervalMonths: [48, 24] },
  { classes: ['M1', 'N1', 'L'], usages: ['rental', 'taxi'], intervalMonths: [12] },
  { classes: heavy, usages: everyUse, intervalMonths: [12] },
  {
    classes: ['L'],
    usages: ['private'],
    intervalMonths: [48, 24],
    confidence: 'medium',
    note: 'Sources name 48, then 24 months, and 72, then 48: the earlier is taken.',
  },
  { ...byMassOfTrailer, intervalMonths: [12] },
]);

const slovakia = countryRules('SK', { source: 'Vyhláška č. 137/2018 Z. z., § 47', reviewedOn }, [
  { classes: ['M1', 'N1', 'L'], usages: ownUse, intervalMonths: [48, 24] },
  { classes: ['M1', 'N1', 'L'], usages: ['taxi'], intervalMonths: [12] },
  { classes: ['M2', 'N2', 'N3'], usages: everyUse, intervalMonths: [12] },
  {
    classes: ['M3'],
    usages: everyUse,
    intervalMonths: [12],
    olderVehicles: [{ ageMonths: 96, intervalMonths: 6 }],
  },
  { ...byMassOfTrailer, intervalMonths: [12] },
]);

const hungary = countryRules(
  'HU',
  {
    source:
      '5/1990. (IV. 12.) KöHÉM rendelet (section not confirmed); road-safety.transport.ec.europa.eu',
    reviewedOn,
  },
  [
    { classes: ['M1', 'N1', 'L'], usages: ownUse, intervalMonths: [48, 24] },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const slovenia = countryRules(
  'SI',
  { source: 'Zakon o motornih vozilih (ZMV-1), 49. člen', reviewedOn },
  [
    {
      classes: ['M1', 'L'],
      usages: ['private'],
      intervalMonths: [48, 24],
      olderVehicles: [{ ageMonths: 96, intervalMonths: 12 }],
    },
    { classes: ['M1', 'L'], usages: ['rental'], intervalMonths: [12] },
    { classes: ['M1', 'N1', 'M2', 'M3'], usages: ['taxi'], intervalMonths: [12, 6] },
    { classes: ['N1'], usages: ownUse, intervalMonths: [12] },
    { classes: ['N2', 'N3'], usages: everyUse, intervalMonths: [12] },
    { classes: ['M2', 'M3'], usages: ownUse, intervalMonths: [12, 6] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const croatia = countryRules(
  'HR',
  {
    source:
      'Zakon o sigurnosti prometa na cestama; Pravilnik o tehničkim pregledima vozila (NN 16/18)',
    reviewedOn,
    note: 'Vehicles that are let, taxis, buses and lorries above 7.5 t also have preventive inspections in between.',
  },
  [
    { classes: ['M1', 'N1', 'L'], usages: ownUse, intervalMonths: [24, 12] },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [12] },
    { classes: heavy, usages: everyUse, intervalMonths: [12] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const romania = countryRules(
  'RO',
  { source: 'Ordonanța Guvernului 81/2000, art. 3 and 3^1 (Legea 260/2017)', reviewedOn },
  [
    {
      classes: ['M1'],
      usages: ['private'],
      intervalMonths: [36, 24],
      olderVehicles: [{ ageMonths: 144, intervalMonths: 12 }],
    },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [12, 6] },
    {
      classes: ['M1'],
      usages: ['rental'],
      intervalMonths: [12, 6],
      confidence: 'medium',
      note: 'For the carriage of persons in hired cars; whether self-drive rental counts as such is not confirmed.',
    },
    {
      classes: ['N1'],
      usages: ownUse,
      intervalMonths: [12],
      confidence: 'medium',
      note: 'Sources name 12 months and 24: the earlier is taken.',
    },
    { classes: ['N2', 'N3'], usages: everyUse, intervalMonths: [12] },
    { classes: ['M2', 'M3'], usages: everyUse, intervalMonths: [12, 6] },
    { classes: ['L'], usages: everyUse, intervalMonths: [24] },
    { ...byMassOfTrailer, intervalMonths: [12] },
  ],
);

const bulgarianLorry = {
  intervalMonths: [12],
  olderVehicles: [{ ageMonths: 120, intervalMonths: 6 }],
} as const;

const bulgaria = countryRules(
  'BG',
  { source: 'Закон за движението по пътищата, чл. 147; Наредба № Н-32 (2011)', reviewedOn },
  [
    {
      classes: ['M1'],
      usages: ownUse,
      intervalMonths: [36, 24],
      olderVehicles: [{ ageMonths: 60, intervalMonths: 12 }],
    },
    { classes: ['M1', 'N1'], usages: ['taxi'], intervalMonths: [6] },
    { classes: ['N1'], usages: ownUse, ...bulgarianLorry },
    { classes: ['N2', 'N3'], usages: everyUse, ...bulgarianLorry },
    { classes: ['M2', 'M3'], usages: everyUse, intervalMonths: [6] },
    { classes: ['L'], usages: everyUse, intervalMonths: [24] },
    { ...byMassOfTrailer, ...bulgarianLorry },
  ],
);

export const eastern: readonly Rule[] = [
  ...poland,
  ...czechia,
  ...slovakia,
  ...hungary,
  ...slovenia,
  ...croatia,
  ...romania,
  ...bulgaria,
];
