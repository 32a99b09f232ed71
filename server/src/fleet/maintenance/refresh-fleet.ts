import { fleetJob } from '../fleet-job.ts';
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
