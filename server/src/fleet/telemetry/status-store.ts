import type { Queryable } from '../../platform/db/database.ts';
import type { ChargingState } from '../charging/find-sessions.ts';
import { timeColumnOf } from '../vehicles/vehicle-fields.ts';
import {
  columnArray,
  ctidArray,
  instantArray,
  type SignalArrays,
  textArray,
  typedArrays,
} from './column-arrays.ts';
import { millisecondsOf } from './signal-times.ts';
import {
  newestTime,
  type Signals,
  type SignalTimes,
  selectedSignals,
  selectedTimes,
  signalColumns,
  signalNames,
  signalsOf,
  timesOf,
} from './signals.ts';

/** What has to be known of every vehicle when messages come, locked until the transaction ends. */
export type LockedStatus = {
  vehicleId: string;
  /** Where the row is, until it is written. */
  ctid: string;
  /** No signal and no moment of the history is newer. */
  newest: number;
  keepsPosition: boolean;
  odometer: number | undefined;
  /** From this odometer on, what is planned has to be looked at again. */
  replanAtOdometer: number | null;
  /** Whether any message may go on with what is known: a charging session, a service to compute. */
  needsMerge: boolean;
};

/** What is known of a vehicle. */
export type Status = {
  signals: Signals;
  times: SignalTimes;
  nextServiceOdometer: number | undefined;
  charging: ChargingState | null;
  battery: { capacityKwh?: number; levelIsCharge: boolean };
};

type LockedRow = {
  vehicle_id: string;
  ctid: string;
  newest: number | null;
  keeps_position: boolean;
  odometer: number | null;
  replan_at_odometer: number | null;
  needs_merge: boolean;
};

/** Holds vehicles and their statuses, in an order that two can never block each other with. */
export async function lockStatuses(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<LockedStatus[]> {
  const ids = textArray(vehicleIds);
  await tx.query(holdVehicles, [providerId, ids]);
  const rows = await tx.query<LockedRow>(hold, [providerId, ids]);
  return rows.map(lockedOf);
}

function lockedOf(row: LockedRow): LockedStatus {
  return {
    vehicleId: row.vehicle_id,
    ctid: row.ctid,
    newest: row.newest ?? Number.NEGATIVE_INFINITY,
    keepsPosition: row.keeps_position,
    odometer: row.odometer ?? undefined,
    replanAtOdometer: row.replan_at_odometer,
    needsMerge: row.needs_merge,
  };
}

// The vehicle before its status, as who deletes the vehicle takes them. In one statement with a join it
// takes 4 µs a vehicle longer.
const holdVehicles =
  'select from vehicles where provider = $1 and id = any($2::text[]) order by id for key share';

const hold = `
  select s.vehicle_id, s.ctid as ctid, ${millisecondsOf(`greatest(${newestTime('s')}, s.history_until)`)} as newest,
    s.keeps_position, s.odometer, s.replan_at_odometer,
    s.charging is not null
      or s.next_service_odometer is null and s.next_service_distance is not null as needs_merge
  from vehicle_statuses s
  where s.provider = $1 and s.vehicle_id = any($2::text[])
  order by s.vehicle_id for update`;

type StatusRow = Record<string, unknown> & {
  vehicle_id: string;
  next_service_odometer: number | null;
  charging: ChargingState | null;
  ev_battery_capacity: number | null;
  has_tank: boolean;
};

/** All that is known of vehicles that are locked and not written yet. */
export async function readStatuses(
  tx: Queryable,
  locked: readonly LockedStatus[],
): Promise<Map<string, Status>> {
  const rows = await tx.query<StatusRow>(select, [ctidArray(locked.map(({ ctid }) => ctid))]);
  return new Map(rows.map((row) => [row.vehicle_id, statusOf(row)]));
}

function statusOf(row: StatusRow): Status {
  return {
    signals: signalsOf(row, signalNames),
    times: timesOf(row),
    nextServiceOdometer: row.next_service_odometer ?? undefined,
    charging: row.charging,
    battery: {
      ...(row.ev_battery_capacity !== null && { capacityKwh: row.ev_battery_capacity }),
      levelIsCharge: !row.has_tank,
    },
  };
}

const select = `
  select s.vehicle_id, s.next_service_odometer, s.charging, v.ev_battery_capacity,
    coalesce(v.ice_tank_capacity > 0, false) as has_tank,
    ${selectedSignals(signalNames, 's')}, ${selectedTimes('s')}
  from vehicle_statuses s join vehicles v on v.provider = s.provider and v.id = s.vehicle_id
  where s.ctid = any($1::tid[])`;

/** Writes signals that are newer than those that were known, each with its time. */
export async function updateSignals(
  tx: Queryable,
  providerId: string,
  signals: SignalArrays,
): Promise<void> {
  const { vehicleIds, times } = signals;
  await tx.query(updateById, [providerId, vehicleIds, times, ...signals.of(columns)]);
}

/** The same into rows that are locked and not written yet: not to look them up again saves 4 µs of 16. */
export async function updateLocked(
  tx: Queryable,
  locked: readonly LockedStatus[],
  signals: SignalArrays,
): Promise<void> {
  const ctids = ctidArray(locked.map(({ ctid }) => ctid));
  await tx.query(updateByCtid, [ctids, signals.times, ...signals.of(columns)]);
}

const columns = signalColumns(signalNames);

/** The key, the times and the signals are parameters from the numbered one on. */
function updateOf(key: { name: string; type: string }, first: number, where: string): string {
  const arrays = [key, { name: 'time', type: 'timestamptz' }, ...columns];
  const changes = columns.flatMap(({ name }) => {
    const at = timeColumnOf(name);
    const value = `${name} = coalesce(new.${name}, s.${name})`;
    // A position has one time.
    if (name === 'lng') return value;
    return [value, `${at} = case when new.${name} is null then s.${at} else new.time end`];
  });
  return `
    update vehicle_statuses s set
      last_updated = greatest(s.last_updated, new.time),
      history_until = greatest(s.history_until, new.time),
      ${changes.join(', ')}
    from unnest(${typedArrays(arrays, first)}) as new (${arrays.map(({ name }) => name).join(', ')})
    where ${where}`;
}

const updateById = updateOf(
  { name: 'vehicle_id', type: 'text' },
  2,
  's.provider = $1 and s.vehicle_id = new.vehicle_id',
);
const updateByCtid = updateOf({ name: 'ctid', type: 'tid' }, 1, 's.ctid = new.ctid');

/** What is known of a vehicle beside its signals. */
export type Rest = {
  vehicleId: string;
  /** When the newest of all signals was measured. */
  newest: number | undefined;
  /** The newest moment that is written to the history, if any is. */
  historyUntil: number | undefined;
  nextServiceOdometer: number | undefined;
  charging: ChargingState | null;
};

export async function updateRest(
  tx: Queryable,
  providerId: string,
  rests: readonly Rest[],
): Promise<void> {
  await tx.query(updateOthers, [
    providerId,
    textArray(rests.map(({ vehicleId }) => vehicleId)),
    instantArray(rests.map(({ newest }) => newest)),
    instantArray(rests.map(({ historyUntil }) => historyUntil)),
    columnArray(
      'double precision',
      rests.map(({ nextServiceOdometer }) => nextServiceOdometer),
    ),
    rests.map(({ charging }) => charging && JSON.stringify(charging)),
  ]);
}

const updateOthers = `
  update vehicle_statuses s set
    last_updated = greatest(s.last_updated, new.newest),
    history_until = greatest(s.history_until, new.history_until),
    next_service_odometer = new.next_service_odometer,
    charging = new.charging
  from unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::double precision[], $6::jsonb[])
    as new (vehicle_id, newest, history_until, next_service_odometer, charging)
  where s.provider = $1 and s.vehicle_id = new.vehicle_id`;
