import type { Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import type { Dependencies, SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { fleetJob } from '../fleet-job.ts';
import { estimateInspections } from './estimate-inspections.ts';
import { rulesReviewedOn } from './estimation/rules.ts';

type Payload = { provider: string; vehicleId: string };

/** Estimates the next inspection of one vehicle, together with those of others that wait. */
export const estimateInspection = job({
  name: 'estimate-inspection',
  key: ({ provider, vehicleId }: Payload) => `${provider} ${vehicleId}`,
  // Their locks keep writers of these vehicles waiting, and other tenants wait for their turn: with many schedules for
  // each vehicle, planning takes seconds.
  batchSize: 10,
  tenant: ({ provider }: Payload) => provider,
  async runBatch(payloads: readonly Payload[], context: Dependencies & { tx: Queryable }) {
    const [first] = payloads;
    const ids = payloads.map(({ vehicleId }) => vehicleId);
    if (first) await estimateInspections(context, first.provider, ids);
  },
});

/** Estimates the next inspections of all vehicles of a provider. */
export const estimateFleet = fleetJob({
  name: 'estimate-fleet',
  select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
  run: (providerId, vehicleIds, context) => estimateInspections(context, providerId, vehicleIds),
});

/** Of vehicles that were added without an event, such as by a restore of single tables, and after a review of the rules. */
export const estimateOutdated = fleetJob({
  name: 'estimate-outdated',
  select: `
    select v.id from vehicles v
    left join inspections i on i.provider = v.provider and i.vehicle_id = v.id
    where v.provider = $1 and v.id > $2 and i.rules_reviewed_on is distinct from $4::date
    order by v.id limit $3`,
  values: () => [rulesReviewedOn],
  run: (providerId, vehicleIds, context) => estimateInspections(context, providerId, vehicleIds),
});

/** For more vehicles, one job estimates the whole fleet. */
const maxSingleJobs = 10;

export async function enqueueEstimates(
  { providerId: provider, vehicleIds }: FleetEvents['vehiclesChanged'],
  { tx, jobs }: SubscriberContext,
): Promise<void> {
  if (vehicleIds.length > maxSingleJobs) await jobs.add(tx, estimateFleet, { provider });
  else {
    for (const vehicleId of vehicleIds)
      await jobs.add(tx, estimateInspection, { provider, vehicleId });
  }
}

/** An estimate depends on the defaults of the provider, and on its calendar. */
export async function reestimateFleet(
  { providerId: provider, fields }: FleetEvents['profileChanged'],
  { tx, jobs }: SubscriberContext,
): Promise<void> {
  if (fields.length > 0) await jobs.add(tx, estimateFleet, { provider });
}
