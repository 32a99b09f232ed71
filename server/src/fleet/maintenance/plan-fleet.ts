import { fleetJob } from '../fleet-job.ts';
import { planMaintenance } from './plan-maintenance.ts';

/** Plans all vehicles of a provider, such as after a change of a schedule. */
export const planFleet = fleetJob({
  name: 'plan-fleet',
  select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
  run: (providerId, vehicleIds, context) => planMaintenance(context, providerId, vehicleIds),
});
