import type { Held } from './status-store.ts';

/** Whether what is planned by distance has to be looked at again; also when the odometer was put right. */
export function reachesReview(
  { reviewOdometer, odometer: before }: Held,
  odometer: number | undefined,
): boolean {
  if (reviewOdometer === null || odometer === undefined || odometer === before) return false;
  return odometer >= reviewOdometer || odometer < (before ?? 0);
}
