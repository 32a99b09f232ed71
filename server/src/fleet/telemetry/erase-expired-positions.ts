import type { Queryable } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/job.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { fleetJob } from '../fleet-job.ts';
import { providersThatErasePositions, readProfile } from '../profile/public.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { changeHistory } from './change-history.ts';

/** Erases the positions of the history that are older than the profile of the provider permits; the rest of it stays. */
export const eraseExpiredPositions = fleetJob({
  name: 'erase-expired-positions',
  // Its locks keep messages of these vehicles waiting.
  batchSize: 20,
  select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
  async run(providerId, vehicleIds, { tx, clock }) {
    const { positionRetentionDays } = (await readProfile(tx, providerId)).profile;
    if (positionRetentionDays === undefined) return;
    const before = new Date(clock.now().getTime() - positionRetentionDays * DAY_MS);
    await lockVehicles(tx, providerId, vehicleIds);
    const change = 'update vehicle_history set lat = null, lng = null where lat is not null';
    await changeHistory(tx, providerId, vehicleIds, change, { before });
  },
});

export async function enqueuePositionErasures(tx: Queryable, jobs: Jobs): Promise<void> {
  for (const provider of await providersThatErasePositions(tx))
    await jobs.add(tx, eraseExpiredPositions, { provider });
}
