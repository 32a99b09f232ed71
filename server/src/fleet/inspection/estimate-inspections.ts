import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import type { Events } from '../events.ts';
import { readProfile } from '../profile/public.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { basisOf, type Estimate, estimate } from './estimation/estimate.ts';
import type { Facts } from './estimation/facts.ts';
import { rulesReviewedOn } from './estimation/rules.ts';
import { type FactsRow, factsColumns, factsOf, factsTables } from './facts-store.ts';

const vehiclesAtOnce = 50;

/** Estimates the next inspections of vehicles, and stores each with its rule and input. */
export async function estimateInspections(
  { tx, events, clock }: { tx: Queryable; events: Events; clock: Clock },
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  const now = clock.now();
  await lockVehicles(tx, providerId, vehicleIds);
  await tx.query(lockInspections, [providerId, vehicleIds, now]);
  const vehicles = await tx.query<VehicleRow>(selectFacts, [providerId, vehicleIds]);
  const { profile } = await readProfile(tx, providerId);
  const today = dateIn(profile.timeZone, now);
  const estimates: object[] = [];
  for (const [index, row] of vehicles.entries()) {
    const facts = factsOf(row, profile);
    const { estimatedDate, ...details } = row.active ? estimate(facts, today) : none(facts, today);
    estimates.push({ id: row.id, estimated_date: estimatedDate, estimate: details });
    // Other requests run in between.
    if (index % vehiclesAtOnce === vehiclesAtOnce - 1) await setImmediate();
  }
  await tx.query(updateEstimates, [providerId, JSON.stringify(estimates), rulesReviewedOn]);
  await events.publish(tx, 'inspectionEstimated', { providerId, vehicleIds });
}

type VehicleRow = FactsRow & { id: string; active: boolean };

function none(facts: Facts, today: string): Estimate {
  return { reason: 'The vehicle is deactivated.', basis: basisOf(facts, today) };
}

// Creates missing records and locks all of them, so that concurrent writers wait.
const lockInspections = `
  insert into inspections (provider, vehicle_id, estimated_at, created_at, updated_at)
  select provider, id, $3::timestamptz, $3::timestamptz, $3::timestamptz from vehicles
  where provider = $1 and id = any($2::text[]) order by id
  on conflict (provider, vehicle_id) do update set estimated_at = excluded.estimated_at`;

const selectFacts = `
  select v.id, v.active, ${factsColumns} from ${factsTables} where v.provider = $1 and v.id = any($2::text[])`;

const updateEstimates = `
  update inspections i set estimated_date = estimated.estimated_date, estimate = estimated.estimate,
    rules_reviewed_on = $3::date
  from jsonb_to_recordset($2::jsonb) as estimated (id text, estimated_date date, estimate jsonb)
  where i.provider = $1 and i.vehicle_id = estimated.id`;
