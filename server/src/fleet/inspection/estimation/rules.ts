import type { Rule } from './rule.ts';
import { baltic } from './rules/baltic.ts';
import { central } from './rules/central.ts';
import { eastern } from './rules/eastern.ts';
import { nordic } from './rules/nordic.ts';
import { southern } from './rules/southern.ts';
import { western } from './rules/western.ts';

/** A change of the law is another row with a later `validFrom`; the row before it stays. */
export const rules: readonly Rule[] = [
  ...central,
  ...western,
  ...southern,
  ...nordic,
  ...baltic,
  ...eastern,
];

/** When a row was last reviewed: estimates that were made by earlier rules are made again. */
export const rulesReviewedOn = rules
  .map(({ reviewedOn }) => reviewedOn)
  .reduce((latest, day) => (day > latest ? day : latest));
