import { fleetJob } from '../fleet-job.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { dayMs, endAtLastSignal } from './detection/session-detector.ts';
import { detectedOf, writeDetected } from './session-store.ts';
import { readStates } from './state-store.ts';

/** Ends sessions without a message for a day. The state stays: delayed messages may still continue it. */
export const closeSilentCharging = fleetJob({
  name: 'close-silent-charging',
  cron: '37 * * * *',
  select: `
    select distinct c.vehicle_id as id
    from charging_sessions c
    join charging_states s on s.provider = c.provider and s.vehicle_id = c.vehicle_id
    where c.provider = $1 and c.vehicle_id > $2 and c.source = 'telemetry' and c.to_time is null
      and (s.state ->> 'lastSignal')::double precision <= $4
    order by id limit $3`,
  values: ({ clock }) => [clock.now().getTime() - dayMs],
  async run(providerId, vehicleIds, { tx, clock }) {
    await lockVehicles(tx, providerId, vehicleIds);
    // Read under the lock: a message may have come since they were selected.
    const known = await readStates(tx, providerId, vehicleIds);
    const latest = clock.now().getTime() - dayMs;
    const ended = [...known].flatMap(([vehicleId, { state, battery }]) =>
      state && state.lastSignal <= latest
        ? detectedOf({ vehicleId, capacityKwh: battery.capacityKwh }, [], endAtLastSignal(state))
        : [],
    );
    await writeDetected({ tx, clock }, providerId, ended);
  },
});
