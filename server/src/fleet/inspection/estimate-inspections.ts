import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { dateOf } from '../../platform/time/instant.ts';
import type { Events } from '../events.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { estimate } from './estimation/estimate.ts';
import { type FactsRow, factsColumns, factsOf, factsTables } from './facts.ts';

/** Estimates the next inspections of vehicles, and keeps each with what it was made from. */
export async function estimateInspections(
  { tx, events, clock }: { tx: Queryable; events: Events; clock: Clock },
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  const now = clock.now();
  await lockVehicles(tx, providerId, vehicleIds);
  await tx.query(lockInspections, [providerId, vehicleIds, now]);
  const vehicles = await tx.query<FactsRow & { id: string }>(selectFacts, [providerId, vehicleIds]);
  const estimates = vehicles.map((row) => {
    const { estimatedDate, ...made } = estimate(factsOf(row), dateOf(now));
    return { id: row.id, estimated_date: estimatedDate, estimate: made };
  });
  await tx.query(updateEstimates, [providerId, JSON.stringify(estimates)]);
  await events.publish(tx, 'inspectionEstimated', { providerId, vehicleIds });
}

// Creates the records that are missing and locks them all: who records a fact meanwhile waits.
const lockInspections = `
  insert into inspections (provider, vehicle_id, estimated_at, created_at, updated_at)
  select provider, id, $3::timestamptz, $3::timestamptz, $3::timestamptz from vehicles
  where provider = $1 and id = any($2::text[]) order by id
  on conflict (provider, vehicle_id) do update set estimated_at = excluded.estimated_at`;

const selectFacts = `
  select v.id, ${factsColumns} from ${factsTables} where v.provider = $1 and v.id = any($2::text[])`;

const updateEstimates = `
  update inspections i set estimated_date = made.estimated_date, estimate = made.estimate
  from jsonb_to_recordset($2::jsonb) as made (id text, estimated_date date, estimate jsonb)
  where i.provider = $1 and i.vehicle_id = made.id`;
