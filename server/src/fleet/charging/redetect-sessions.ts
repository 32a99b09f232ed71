import type { Queryable } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/job.ts';
import type { Period } from '../events.ts';
import { fleetJob } from '../fleet-job.ts';
import { readStatuses } from '../telemetry/public.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { lastKnownOf } from './last-known.ts';
import { replaySessions } from './replay-sessions.ts';
import { type ChargingState, readStates, writeStates } from './state-store.ts';

/**
 * Detects sessions again that an earlier release has detected otherwise, as far as the history still has their
 * messages (docs/decisions/0035-charging-sessions.md).
 */
export const redetectSessions = fleetJob({
  name: 'redetect-charging-sessions',
  // The vehicles are locked meanwhile, and their whole history may be read.
  batchSize: 5,
  select: `
    select vehicle_id as id from charging_redetections
    where provider = $1 and vehicle_id > $2 order by vehicle_id limit $3`,
  async run(providerId, vehicleIds, { tx, clock, settings }) {
    await lockVehicles(tx, providerId, vehicleIds);
    const statuses = await readStatuses(tx, providerId, vehicleIds);
    const states = new Map<string, ChargingState | null>();
    for (const [vehicleId, { state, battery }] of await readStates(tx, providerId, vehicleIds)) {
      const status = statuses.get(vehicleId);
      const last = await replaySessions(
        {
          tx,
          clock,
          gapMs: settings.chargingGapMs,
          providerId,
          vehicleId,
          ...battery,
          openFrom: state?.from,
          lastKnown: status ? lastKnownOf(status, battery.levelIsCharge) : {},
        },
        await startsInHistory(tx, providerId, vehicleId),
      );
      if (last) states.set(vehicleId, last.session ?? null);
    }
    await writeStates(tx, providerId, states);
    await tx.query(
      'delete from charging_redetections where provider = $1 and vehicle_id = any($2::text[])',
      [providerId, vehicleIds],
    );
  },
});

/** When the detected sessions began whose beginning the history still has. Others stay as they are. */
async function startsInHistory(
  tx: Queryable,
  providerId: string,
  vehicleId: string,
): Promise<Period[]> {
  const rows = await tx.query<{ from_time: string }>(
    `select c.from_time from charging_sessions c
     join vehicle_history h
       on h.provider = c.provider and h.vehicle_id = c.vehicle_id and h.time = c.from_time
     where c.provider = $1 and c.vehicle_id = $2 and c.source = 'telemetry'
     order by c.from_time`,
    [providerId, vehicleId],
  );
  return rows.map(({ from_time }) => {
    const time = Date.parse(from_time);
    return { first: time, last: time };
  });
}

export async function enqueueRedetections(tx: Queryable, jobs: Jobs): Promise<void> {
  const providers = await tx.query<{ provider: string }>(
    'select distinct provider from charging_redetections order by provider',
  );
  for (const { provider } of providers) await jobs.add(tx, redetectSessions, { provider });
}
