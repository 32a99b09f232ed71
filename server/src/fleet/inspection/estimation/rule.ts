import type { Category, Fuel, Usage } from '../facts.ts';

/** How often a vehicle is inspected: a row of the table in `rules.ts`. */
export type Rule = {
  /** ISO 3166-1, or 3166-2 where a region has its own. `EU`: every member that has no better row. */
  country: string;
  usages: readonly Usage[];
  /** Left out: whatever it runs on. The row with `unknown` is taken when nobody knows. */
  fuels?: readonly (Fuel | 'unknown')[];
  category: Category;
  /** Months to the first inspection, from there to the second, and so on; the last repeats. */
  intervalMonths: readonly [number, ...number[]];
  /** Stands in for what follows the first, while the vehicle is young and has not run far. */
  whileYoung?: YoungVehicles;
  /** `month`: due on the last day of the month. */
  dueBy: 'day' | 'month';
  /** An inspection in this time around the day it was due on does not move the next one. */
  keepsDate?: DateWindow;
  validFrom: string;
  source: string;
  /** How sure the rule itself is; where it is not, the note says why. */
  confidence: Confidence;
  note?: string;
};

export type Confidence = 'high' | 'medium' | 'low';

/** What makes an estimate less than certain, and how much so. */
export type Doubt = { confidence: Confidence; reason: string };

export type YoungVehicles = {
  intervalMonths: number;
  ageMonths: number;
  /** Whether the very day on which it reaches that age still counts. */
  ageIncluded: boolean;
  odometerBelow: number;
};

export type DateWindow = {
  monthsBefore: number;
  /** It begins a day later than that. */
  lessOneDay?: true;
  monthsAfter?: number;
  /** It begins and ends with whole months. */
  wholeMonths?: true;
};
