import type { Queryable } from '../../platform/db/database.ts';
import { estimate } from './estimation/estimate.ts';
import { type FactsRow, factsColumns, factsOf, factsTables } from './facts.ts';

/** Estimates the next inspections of vehicles, and keeps each with what it was made from. */
export async function estimateInspections(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
  now = new Date(),
): Promise<void> {
  const time = now.toISOString();
  await tx.query(hold, [providerId, vehicleIds, time]);
  const vehicles = await tx.query<FactsRow & { id: string }>(select, [providerId, vehicleIds]);
  const estimates = vehicles.map((row) => {
    const { estimatedDate, ...made } = estimate(factsOf(row), time.slice(0, 10));
    return { id: row.id, estimated_date: estimatedDate, estimate: made };
  });
  await tx.query(keep, [providerId, JSON.stringify(estimates)]);
}

// Makes the records that are missing and holds them all, everyone in one order: who records a fact
// meanwhile waits, and estimates again.
const hold = `
  insert into inspections (provider, vehicle_id, estimated_at)
  select provider, id, $3::timestamptz from vehicles
  where provider = $1 and id = any($2::text[]) order by id for key share
  on conflict (provider, vehicle_id) do update set estimated_at = excluded.estimated_at`;

const select = `
  select v.id, ${factsColumns} from ${factsTables} where v.provider = $1 and v.id = any($2::text[])`;

const keep = `
  update inspections i set estimated_date = made.estimated_date, estimate = made.estimate
  from jsonb_to_recordset($2::jsonb) as made (id text, estimated_date date, estimate jsonb)
  where i.provider = $1 and i.vehicle_id = made.id`;
