import type { Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import type { Dependencies } from '../dependencies.ts';
import { fleetJob } from '../fleet-job.ts';
import { readCalendar } from '../profile/public.ts';
import { refreshMaintenance } from './refresh-maintenance.ts';

/** Daily, since statuses depend on the date. */
export const refreshFleet = fleetJob({
  name: 'refresh-maintenance',
  cron: '3 0 * * *',
  select: `
    select distinct vehicle_id as id from maintenance_reports
    where provider = $1 and vehicle_id > $2 and closed_at is null and not withdrawn
    order by vehicle_id limit $3`,
  run: (providerId, vehicleIds, context) => refreshMaintenance(context, providerId, vehicleIds),
});

// More than the hour since the last run: a service that was down for a while makes up for it.
const lookBackMs = 4 * HOUR_MS;

/** Refreshes the fleets of providers in whose time zone a date began within the last hours. */
export const refreshNewDates = job({
  name: 'refresh-new-dates',
  key: () => 'all',
  cron: '3 * * * *',
  async run(_payload: object, { tx, jobs, clock }: Dependencies & { tx: Queryable }) {
    const now = clock.now();
    const providers = await tx.query<{ id: string }>('select id from providers order by id');
    for (const { id } of providers) {
      const { timeZone, today } = await readCalendar(tx, id, now);
      const began = dateIn(timeZone, now.getTime() - lookBackMs) !== today;
      if (began) await jobs.add(tx, refreshFleet, { provider: id });
    }
  },
});
