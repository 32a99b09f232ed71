import type { Queryable } from '../../platform/db/database.ts';

/**
 * The odometer of a vehicle at a time, as far as the history tells: its last reading before, or the first one
 * after, where it does not reach back so far.
 */
export async function odometerAt(
  tx: Queryable,
  providerId: string,
  vehicleId: string,
  time: Date,
): Promise<number | undefined> {
  const [row] = await tx.query<{ odometer: number | null }>(selectOdometer, [
    providerId,
    vehicleId,
    time,
  ]);
  return row?.odometer ?? undefined;
}

const reading = (condition: string, order: 'asc' | 'desc') => `
  select h.odometer from vehicle_history h
  where h.provider = $1 and h.vehicle_id = $2 and h.time ${condition} $3::timestamptz
    and h.odometer is not null and h.odometer_confirmed is not false
  order by h.time ${order} limit 1`;

const selectOdometer = `select coalesce((${reading('<', 'desc')}), (${reading('>=', 'asc')})) as odometer`;
