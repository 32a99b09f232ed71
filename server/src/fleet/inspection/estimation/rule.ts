import type { Category, Fuel, Usage } from './facts.ts';

/** How often a vehicle is inspected: a row of `rules.ts`. */
export type Rule = {
  /** ISO 3166-1, or 3166-2 where a region has its own. `EU`: members without a row of their own. */
  country: string;
  usages: readonly Usage[];
  /** Any fuel when left out; `unknown` matches vehicles without one. */
  fuels?: readonly (Fuel | 'unknown')[];
  category: Category;
  /** Months to the first inspection, from there to the second, and so on; the last repeats. */
  intervalMonths: readonly [number, ...number[]];
  /** Replaces the intervals after the first while the vehicle is new and its odometer low. */
  newVehicleInterval?: NewVehicleInterval;
  /** `month`: due on the last day of the month. */
  dueBy: 'day' | 'month';
  /** An inspection within this window around its due date does not move the next one. */
  anniversaryWindow?: DateWindow;
  validFrom: string;
  source: string;
  /** Of the rule itself; below `high`, the note says why. */
  confidence: Confidence;
  note?: string;
};

export type Confidence = 'high' | 'medium' | 'low';

/** A reason why an estimate is less than certain, and the confidence that is left. */
export type Caveat = { confidence: Confidence; reason: string };

export type NewVehicleInterval = {
  intervalMonths: number;
  ageMonths: number;
  /** Whether the day on which it reaches that age still counts. */
  ageIncluded: boolean;
  odometerBelow: number;
};

export type DateWindow = {
  monthsBefore: number;
  /** Starts a day later than that. */
  lessOneDay?: true;
  monthsAfter?: number;
  /** Extends to whole months. */
  wholeMonths?: true;
};
