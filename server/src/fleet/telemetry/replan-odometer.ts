import type { Queryable } from '../../platform/db/database.ts';
import type { LockedStatus } from './status-store.ts';

/** Sets the odometers from which on a message of the vehicle is published as due for planning. */
export async function setReplanOdometers(
  tx: Queryable,
  providerId: string,
  marks: readonly { vehicleId: string; odometer: number | null }[],
): Promise<void> {
  if (marks.length === 0) return;
  await tx.query(updateMarks, [providerId, JSON.stringify(marks)]);
}

const updateMarks = `
  update vehicle_statuses s set replan_at_odometer = mark.odometer
  from jsonb_to_recordset($2::jsonb) as mark ("vehicleId" text, odometer double precision)
  where s.provider = $1 and s.vehicle_id = mark."vehicleId"`;

/** Whether the mark is reached; also when the odometer was corrected downwards. */
export function needsReplan(
  { replanAtOdometer, odometer: before }: LockedStatus,
  odometer: number | undefined,
): boolean {
  if (replanAtOdometer === null || odometer === undefined || odometer === before) return false;
  return odometer >= replanAtOdometer || odometer < (before ?? 0);
}
