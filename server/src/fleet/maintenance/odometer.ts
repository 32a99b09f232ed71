/** In km: no vehicle has run further, so that sums of odometers and intervals keep within bounds. */
export const maxOdometer = 10_000_000;
export const maxInterval = 1_000_000;
export const maxDueOdometer = maxOdometer + maxInterval;

/** In SQL: an odometer within the bounds of what is planned, or null. */
export function bounded(odometer: string): string {
  return `case when ${odometer} is not null then least(greatest(${odometer}, 0), ${maxOdometer}) end`;
}

/** In SQL: the next multiple of an interval above an odometer; above 0 where that is not known. */
export function nextMultiple(odometer: string, interval: string): string {
  return `(floor(coalesce(${bounded(odometer)}, 0) / ${interval}) + 1) * ${interval}`;
}
