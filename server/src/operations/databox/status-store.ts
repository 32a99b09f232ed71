import type { Queryable } from '../../platform/db/database.ts';
import type { ChargingState } from '../shared/charging/find-sessions.ts';
import { instantsArray, plainArray, typedArrays } from './column-arrays.ts';
import type { Merged, SignalTimes } from './merge-readings.ts';
import { type Signals, selectedSignals, signalColumns, signalNames, signalsOf } from './signals.ts';

/** What is known of a vehicle when messages come, held until the transaction ends. */
export type Status = {
  vehicleId: string;
  signals: Signals;
  times: SignalTimes;
  nextServiceOdometer: number | undefined;
  keepsPosition: boolean;
  charging: ChargingState | null;
  /** From this odometer on, what is planned has to be looked at again. */
  reviewOdometer: number | null;
  battery: { capacityKwh?: number; levelIsCharge: boolean };
};

type StatusRow = Record<string, unknown> & {
  vehicle_id: string;
  signal_times: SignalTimes;
  next_service_odometer: number | null;
  keeps_position: boolean;
  charging: ChargingState | null;
  review_odometer: number | null;
  ev_battery_capacity: number | null;
  has_tank: boolean;
};

/** Holds vehicles and their statuses, in an order that two can never block each other with. */
export async function holdStatuses(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<Map<string, Status>> {
  const rows = await tx.rows<StatusRow>(hold, [providerId, vehicleIds]);
  return new Map(rows.map((row) => [row.vehicle_id, statusOf(row)]));
}

function statusOf(row: StatusRow): Status {
  return {
    vehicleId: row.vehicle_id,
    signals: signalsOf(row, signalNames),
    times: row.signal_times,
    nextServiceOdometer: row.next_service_odometer ?? undefined,
    keepsPosition: row.keeps_position,
    charging: row.charging,
    reviewOdometer: row.review_odometer,
    battery: {
      ...(row.ev_battery_capacity !== null && { capacityKwh: row.ev_battery_capacity }),
      levelIsCharge: !row.has_tank,
    },
  };
}

// The vehicle before its status, as who deletes the vehicle takes them.
const hold = `
  select s.vehicle_id, s.signal_times, s.next_service_odometer, s.keeps_position, s.charging,
    s.review_odometer, v.ev_battery_capacity, coalesce(v.ice_tank_capacity > 0, false) as has_tank,
    ${selectedSignals(signalNames, 's')}
  from vehicles v join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  where v.provider = $1 and v.id = any($2::text[])
  order by v.id for key share of v for update of s`;

export type StatusToWrite = { vehicleId: string; merged: Merged; charging: ChargingState | null };

export async function writeStatuses(
  tx: Queryable,
  providerId: string,
  statuses: readonly StatusToWrite[],
): Promise<void> {
  if (statuses.length === 0) return;
  const changes = statuses.map(({ merged }) => changesOf(merged));
  await tx.rows(update, [
    providerId,
    statuses.map(({ vehicleId }) => vehicleId),
    statuses.map(({ merged }) => JSON.stringify(merged.times)),
    instantsArray(statuses.map(({ merged }) => newestOf(merged.times))),
    plainArray(statuses.map(({ merged }) => merged.nextServiceOdometer)),
    statuses.map(({ charging }) => charging && JSON.stringify(charging)),
    ...columns.map((column) => plainArray(changes.map((signals) => column.of(signals)))),
  ]);
}

function changesOf({ signals, changedSignals }: Merged): Signals {
  return Object.fromEntries([...changedSignals].map((name) => [name, signals[name]]));
}

export function newestOf(times: SignalTimes): number {
  return Math.max(...Object.values(times));
}

const columns = signalColumns(signalNames);

const update = `
  update vehicle_statuses s set
    signal_times = new.times,
    last_updated = greatest(s.last_updated, new.newest),
    next_service_odometer = new.next_service_odometer,
    charging = new.charging,
    ${columns.map(({ name }) => `${name} = coalesce(new.${name}, s.${name})`).join(', ')}
  from unnest(
    $2::text[], $3::jsonb[], $4::timestamptz[], $5::double precision[], $6::jsonb[],
    ${typedArrays(columns, 7)}
  ) as new (
    vehicle_id, times, newest, next_service_odometer, charging,
    ${columns.map(({ name }) => name).join(', ')}
  )
  where s.provider = $1 and s.vehicle_id = new.vehicle_id`;
