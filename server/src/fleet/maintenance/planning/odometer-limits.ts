/** In km, so that sums of odometers and intervals stay within bounds. */
export const maxOdometer = 10_000_000;
export const maxInterval = 1_000_000;
export const maxDueOdometer = maxOdometer + maxInterval;
