import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, job } from '../../platform/jobs/job.ts';
import { refreshMaintenance } from './refresh-maintenance.ts';

const batchSize = 1_000;

type Payload = { provider?: string; after?: string };

/** Once a day, since each day is nearer to what is due: for every provider, some vehicles at a time. */
export const refreshFleet = job({
  name: 'refresh-maintenance',
  key: ({ provider = '', after = '' }: Payload) => `${provider} ${after}`,
  cron: '3 0 * * *',
  async run({ provider, after = '' }: Payload, { tx, jobs }: { tx: Queryable; jobs: Jobs }) {
    if (provider === undefined) {
      const providers = await tx.query<{ id: string }>('select id from providers order by id');
      for (const { id } of providers) await jobs.add(tx, refreshFleet, { provider: id });
      return;
    }
    const vehicles = await tx.query<{ id: string }>(
      `select distinct vehicle_id as id from maintenance_reports
       where provider = $1 and vehicle_id > $2 and closed_at is null and not withdrawn
       order by vehicle_id limit $3`,
      [provider, after, batchSize],
    );
    const ids = vehicles.map(({ id }) => id);
    await refreshMaintenance(tx, provider, ids);
    if (ids.length === batchSize) await jobs.add(tx, refreshFleet, { provider, after: ids.at(-1) });
  },
});
