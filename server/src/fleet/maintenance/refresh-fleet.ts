import type { Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';
import { fleetJob } from '../fleet-job.ts';
import { readCalendar } from '../profile/public.ts';
import { refreshMaintenance } from './refresh-maintenance.ts';

/** Statuses depend on the date. */
export const refreshFleet = fleetJob({
  name: 'refresh-maintenance',
  select: `
    select distinct vehicle_id as id from maintenance_reports
    where provider = $1 and vehicle_id > $2 and closed_at is null and not withdrawn
    order by vehicle_id limit $3`,
  run: (providerId, vehicleIds, context) => refreshMaintenance(context, providerId, vehicleIds),
});

/** Refreshes the fleets of providers in whose time zone another date is than when they were refreshed last. */
export const refreshNewDates = job({
  name: 'refresh-new-dates',
  key: () => 'all',
  cron: '3 * * * *',
  async run(_payload: object, { tx, jobs, clock }: Dependencies & { tx: Queryable }) {
    const now = clock.now();
    const providers = await tx.query<{ id: string; refreshed_on: string | null }>(
      'select id, maintenance_refreshed_on as refreshed_on from providers order by id',
    );
    for (const { id, refreshed_on } of providers) {
      const { today } = await readCalendar(tx, id, now);
      if (today === refreshed_on) continue;
      await tx.query('update providers set maintenance_refreshed_on = $2 where id = $1', [
        id,
        today,
      ]);
      await jobs.add(tx, refreshFleet, { provider: id });
    }
  },
});
