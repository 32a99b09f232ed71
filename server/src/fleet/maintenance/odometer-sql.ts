import { maxOdometer } from './planning/odometer-limits.ts';

/** In SQL: an odometer within the limits of planning, or null. Less than a metre is 0, as quotients could underflow. */
export function boundedOdometer(odometer: string): string {
  return `case when ${odometer} < 0.001 then 0 when ${odometer} is not null then least(${odometer}, ${maxOdometer}) end`;
}

/** In SQL: the next multiple of an interval above an odometer; above 0 when it is unknown. */
export function nextMultiple(odometer: string, interval: string): string {
  return `(floor(coalesce(${boundedOdometer(odometer)}, 0) / ${interval}) + 1) * ${interval}`;
}
