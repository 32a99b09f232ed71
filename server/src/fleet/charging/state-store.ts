import type { Queryable } from '../../platform/db/database.ts';
import { setWatched } from '../telemetry/public.ts';
import type { Session } from './detection/session.ts';

/** The session that the next message of a vehicle may continue. Its position is its `location`. */
export type ChargingState = Session;

export type Battery = {
  capacityKwh?: number;
  /** Whether the level is the state of charge: that of a vehicle with a tank is not. */
  levelIsCharge: boolean;
};

/** What the next messages of a vehicle continue, and what its sessions are computed with. */
export type KnownCharging = { state: ChargingState | null; battery: Battery };

type StateRow = {
  id: string;
  state: ChargingState | null;
  ev_battery_capacity: number | null;
  has_tank: boolean;
};

export async function readStates(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<Map<string, KnownCharging>> {
  const rows = await tx.query<StateRow>(selectStates, [providerId, vehicleIds]);
  return new Map(rows.map((row) => [row.id, knownOf(row)]));
}

function knownOf({ state, ev_battery_capacity, has_tank }: StateRow): KnownCharging {
  return {
    state,
    battery: {
      ...(ev_battery_capacity !== null && { capacityKwh: ev_battery_capacity }),
      levelIsCharge: !has_tank,
    },
  };
}

const selectStates = `
  select v.id, c.state, v.ev_battery_capacity, coalesce(v.ice_tank_capacity > 0, false) as has_tank
  from vehicles v
  left join charging_states c on c.provider = v.provider and c.vehicle_id = v.id
  where v.provider = $1 and v.id = any($2::text[])`;

/** Writes what messages left; a vehicle with an open session is watched from then on. */
export async function writeStates(
  tx: Queryable,
  providerId: string,
  states: ReadonlyMap<string, ChargingState | null>,
): Promise<void> {
  const open = [...states].flatMap(([vehicleId, state]) => (state ? { vehicleId, state } : []));
  const closed = [...states].filter(([, state]) => state === null).map(([vehicleId]) => vehicleId);
  const openIds = open.map(({ vehicleId }) => vehicleId);
  if (open.length > 0) await tx.query(upsertStates, [providerId, JSON.stringify(open)]);
  if (closed.length > 0) {
    await tx.query(
      'delete from charging_states where provider = $1 and vehicle_id = any($2::text[])',
      [providerId, closed],
    );
  }
  await setWatched(tx, providerId, openIds, true);
  await setWatched(tx, providerId, closed, false);
}

const upsertStates = `
  insert into charging_states (provider, vehicle_id, state)
  select $1, "vehicleId", state from jsonb_to_recordset($2::jsonb) as open ("vehicleId" text, state jsonb)
  on conflict (provider, vehicle_id) do update set state = excluded.state`;
