import type { Queryable } from '../../platform/db/database.ts';

// Of a statement: a vehicle may have millions in a month (docs/decisions/0014-telemetry.md).
const sliceSize = 10_000;

/** Changes the histories of vehicles in a period, slice by slice, so that each statement ends in time. */
export async function changeHistory(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
  change:
    | 'delete from vehicle_history where true'
    | 'update vehicle_history set lat = null, lng = null where lat is not null',
  { from = '-infinity', before = 'infinity' }: { from?: string; before?: Date | string } = {},
): Promise<void> {
  for (const vehicleId of vehicleIds) {
    for (let start: string | undefined = from; start !== undefined; ) {
      const slice: unknown[] = [providerId, vehicleId, start, before];
      const [next] = await tx.query<{ time: string }>(selectNextSlice, slice);
      await tx.query(`${change} and ${inSlice}`, [...slice.slice(0, 3), next?.time ?? before]);
      start = next?.time;
    }
  }
}

const inSlice =
  'provider = $1 and vehicle_id = $2 and time >= $3::timestamptz and time < $4::timestamptz';

/** Where the slice after the one from $3 on begins, if there is one. */
const selectNextSlice = `
  select time from vehicle_history where ${inSlice}
  order by time offset ${sliceSize} limit 1`;
