import type { Queryable } from '../../platform/db/database.ts';

/**
 * Changes the histories of vehicles in a period, one vehicle and one partition at a time: years of messages are too many for
 * one statement (docs/decisions/0014-telemetry.md).
 */
export async function changeHistory(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
  change:
    | 'delete from vehicle_history where true'
    | 'update vehicle_history set lat = null, lng = null where lat is not null',
  { from = '-infinity', before = 'infinity' }: { from?: string; before?: Date | string } = {},
): Promise<void> {
  const months = await tx.query<{ id: string; month: string }>(selectMonths, [
    providerId,
    vehicleIds,
    before,
    from,
  ]);
  for (const { id, month } of months) {
    await tx.query(
      `${change} and provider = $1 and vehicle_id = $2
         and time >= greatest($3::timestamptz, $5::timestamptz)
         and time < least($3::timestamptz + interval '1 month', $4::timestamptz)`,
      [providerId, id, month, before, from],
    );
  }
}

const selectMonths = `
  select known.vehicle_id as id, generate_series(known.first, known.last, '1 month') as month
  from (
    select vehicle_id, date_trunc('month', min(time)) as first, max(time) as last
    from vehicle_history where provider = $1 and vehicle_id = any($2::text[])
      and time < $3::timestamptz and time >= $4::timestamptz group by vehicle_id
  ) known`;
