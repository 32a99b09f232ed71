import type { LockedStatus } from './status-store.ts';

/** Whether what is planned by distance has to be looked at again; also when the odometer was put right. */
export function needsReplan(
  { replanAtOdometer, odometer: before }: LockedStatus,
  odometer: number | undefined,
): boolean {
  if (replanAtOdometer === null || odometer === undefined || odometer === before) return false;
  return odometer >= replanAtOdometer || odometer < (before ?? 0);
}
