import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, job } from '../../platform/jobs/job.ts';
import { estimateInspections } from '../inspection/estimate-inspections.ts';
import { planMaintenance } from './plan-maintenance.ts';

const batchSize = 1_000;

type Payload = { provider: string; after?: string };

/** Estimates and plans for all vehicles of a provider, some at a time. */
export const reviewFleet = job({
  name: 'review-fleet',
  key: ({ provider, after = '' }: Payload) => `${provider} ${after}`,
  async run({ provider, after = '' }: Payload, { tx, jobs }: { tx: Queryable; jobs: Jobs }) {
    const vehicles = await tx.query<{ id: string }>(
      'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
      [provider, after, batchSize],
    );
    const ids = vehicles.map(({ id }) => id);
    await estimateInspections(tx, provider, ids);
    await planMaintenance(tx, provider, ids);
    if (ids.length === batchSize) await jobs.add(tx, reviewFleet, { provider, after: ids.at(-1) });
  },
});

/** Has fleets reviewed that have vehicles from before there were estimates: nobody else comes by. */
export async function enqueueUnestimatedFleets(tx: Queryable, jobs: Jobs): Promise<void> {
  const providers = await tx.query<{ id: string }>(
    `select p.id from providers p
     where exists (
       select 1 from vehicles v
       where v.provider = p.id and not exists (
         select 1 from inspections i where i.provider = v.provider and i.vehicle_id = v.id
       )
     )
     order by p.id`,
  );
  for (const { id } of providers) await jobs.add(tx, reviewFleet, { provider: id });
}
