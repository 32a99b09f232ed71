import { job } from '../../platform/jobs/job.ts';
import { runForEach } from '../../platform/jobs/run-for-each.ts';
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
  // Each provider by itself: whoever administers one would wait for all of them otherwise.
  transactional: false,
  async run(_payload: object, { db, jobs, clock }: Dependencies) {
    const now = clock.now();
    const providers = await db.query<{ id: string; refreshed_on: string | null }>(
      'select id, maintenance_refreshed_on as refreshed_on from providers order by id',
    );
    const refresh = async ({ id, refreshed_on }: (typeof providers)[number]) => {
      const { today } = await readCalendar(db, id, now);
      if (today === refreshed_on) return;
      await db.transaction(async (tx) => {
        await tx.query('update providers set maintenance_refreshed_on = $2 where id = $1', [
          id,
          today,
        ]);
        await jobs.add(tx, refreshFleet, { provider: id });
      });
    };
    await runForEach(providers, refresh, 'Some fleets could not be refreshed.');
  },
});
