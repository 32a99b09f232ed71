import type { Usage, VehicleClass } from '../../vehicle-use.ts';
import type { Fuel } from './facts.ts';

/** How often a vehicle is inspected: a row of `rules/`. */
export type Rule = {
  /** ISO 3166-1, or 3166-2 where a region has its own. */
  country: string;
  classes: readonly VehicleClass[];
  usages: readonly Usage[];
  /** Any fuel when left out; `unknown` matches vehicles without one. */
  fuels?: readonly (Fuel | 'unknown')[];
  /** Months to the first inspection, from there to the second, and so on; the last repeats. Empty: never. */
  intervalMonths: readonly number[];
  /** From an age on, by rising age, an interval that is shorter; one that is longer ends at that age. */
  olderVehicles?: readonly AgeInterval[];
  /** Replaces the intervals after the first while the vehicle is new and its odometer low. */
  newVehicleInterval?: NewVehicleInterval;
  /** `month`: due on the last day of the month. */
  dueBy: 'day' | 'month';
  /** An inspection within this window around its due date does not move the next one. */
  anniversaryWindow?: DateWindow;
  /** Due dates are counted from the first registration, whenever the last inspection was. */
  fixedAnniversaries?: true;
  validFrom: string;
  /** The law and its paragraph. */
  source: string;
  /** When the row was last held against its source. */
  reviewedOn: string;
  /** Of the rule itself; below `high`, the note says why. */
  confidence: Confidence;
  note?: string;
};

export type Confidence = 'high' | 'medium' | 'low';

/** A reason why an estimate is less than certain, and the confidence that is left. */
export type Caveat = { confidence: Confidence; reason: string };

type AgeInterval = { ageMonths: number; intervalMonths: number };

export type NewVehicleInterval = {
  intervalMonths: number;
  /** Any age when left out. */
  ageMonths?: number;
  /** Whether the day on which it reaches that age still counts. */
  ageIncluded?: true;
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
