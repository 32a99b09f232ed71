import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, job } from '../../platform/jobs/job.ts';
import { dayMs, endAtLastSign } from './detection/detect-sessions.ts';
import type { ChargingState } from './find-sessions.ts';
import { foundOf, writeFound } from './session-store.ts';

const batchSize = 1_000;

type Payload = { provider?: string; after?: string };

type SilentRow = {
  vehicle_id: string;
  charging: ChargingState;
  ev_battery_capacity: number | null;
};

/**
 * Tells sessions as ended of which nothing was heard for a day. The state stays: messages that were
 * held up on their way may still show that the session went on.
 */
export const closeSilentCharging = job({
  name: 'close-silent-charging',
  key: ({ provider = '', after = '' }: Payload) => `${provider} ${after}`,
  cron: '37 * * * *',
  async run({ provider, after = '' }: Payload, { tx, jobs }: { tx: Queryable; jobs: Jobs }) {
    if (provider === undefined) {
      const providers = await tx.query<{ id: string }>('select id from providers order by id');
      for (const { id } of providers) await jobs.add(tx, closeSilentCharging, { provider: id });
      return;
    }
    const silent = await tx.query<SilentRow>(holdSilent, [
      provider,
      after,
      Date.now() - dayMs,
      batchSize,
    ]);
    const ended = silent.flatMap(({ vehicle_id: vehicleId, charging, ev_battery_capacity }) =>
      foundOf(
        { vehicleId, capacityKwh: ev_battery_capacity ?? undefined },
        [],
        endAtLastSign(charging),
      ),
    );
    await writeFound(tx, provider, ended);
    if (silent.length === batchSize) {
      await jobs.add(tx, closeSilentCharging, { provider, after: silent.at(-1)?.vehicle_id });
    }
  },
});

// The vehicle before its status, in the order of the ids, as the messages take them.
const holdSilent = `
  select s.vehicle_id, s.charging, v.ev_battery_capacity
  from charging_sessions c
  join vehicles v on v.provider = c.provider and v.id = c.vehicle_id
  join vehicle_statuses s on s.provider = c.provider and s.vehicle_id = c.vehicle_id
  where c.provider = $1 and c.vehicle_id > $2 and c.source = 'telemetry' and c.to_time is null
    and (s.charging ->> 'lastSign')::double precision <= $3
  order by c.vehicle_id limit $4
  for key share of v for update of s`;
