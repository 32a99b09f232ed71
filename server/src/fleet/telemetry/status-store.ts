import {
  columnArray,
  instantArray,
  textArray,
  typedArrays,
} from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { millisecondsOf } from '../../platform/time/instant.ts';
import { lockStatusRows, lockVehicleRows, timeColumnOf } from '../vehicles/public.ts';
import type { ExtraSignals, ExtraValue } from './extra-signals.ts';
import type { OdometerReading } from './odometer-doubt.ts';
import { executeFor, type SignalArrays, signalStatement } from './signal-arrays.ts';
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

/** What every message has to be compared with; locked until the transaction ends. */
export type LockedStatus = {
  vehicleId: string;
  /** Messages of a vehicle that is deactivated are rejected. */
  active: boolean;
  /** No signal and no moment of the history is newer. */
  newest: number;
  keepsPosition: boolean;
  odometer: number | undefined;
  /** When it was measured; undefined when it was imported without a time. */
  odometerTime: number | undefined;
  /** From this odometer on, maintenance has to be planned again. */
  replanAtOdometer: number | null;
  /** Whether any message has to be merged: the vehicle is watched, its next service is to be computed, or its odometer is in doubt. */
  needsMerge: boolean;
};

/** What is known of a vehicle. */
export type Status = {
  signals: Signals;
  times: SignalTimes;
  extra: ExtraSignals;
  /** The newest reading of the odometer, while it is in doubt: the signals have the last one that is not. */
  doubted: OdometerReading | undefined;
  nextServiceOdometer: number | undefined;
};

type LockedRow = {
  vehicle_id: string;
  newest: number | null;
  keeps_position: boolean;
  odometer: number | null;
  odometer_ms: number | null;
  replan_at_odometer: number | null;
  needs_merge: boolean;
};

export async function lockStatuses(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<LockedStatus[]> {
  const ids = textArray(vehicleIds);
  const inactive = await lockVehicleRows(tx, providerId, ids);
  const rows = await lockStatusRows<LockedRow>(tx, providerId, ids, lockedColumns);
  return rows.map((row) => lockedOf(row, !inactive.has(row.vehicle_id)));
}

function lockedOf(row: LockedRow, active: boolean): LockedStatus {
  return {
    vehicleId: row.vehicle_id,
    active,
    newest: row.newest ?? Number.NEGATIVE_INFINITY,
    keepsPosition: row.keeps_position,
    odometer: row.odometer ?? undefined,
    odometerTime: row.odometer_ms ?? undefined,
    replanAtOdometer: row.replan_at_odometer,
    needsMerge: row.needs_merge,
  };
}

const lockedColumns = [
  `${millisecondsOf(`greatest(${newestTime('s')}, s.history_until)`)} as newest`,
  's.keeps_position',
  's.odometer',
  `${millisecondsOf('s.odometer_at')} as odometer_ms`,
  's.replan_at_odometer',
  's.watched or s.doubted_odometer_at is not null ' +
    'or s.next_service_odometer is null and s.next_service_distance is not null as needs_merge',
];

type StatusRow = Record<string, unknown> & {
  vehicle_id: string;
  next_service_odometer: number | null;
  extra: Record<string, { value: ExtraValue; time: number }> | null;
  doubted_odometer: number | null;
  doubted_ms: number | null;
};

export async function readStatuses(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<Map<string, Status>> {
  const rows = await tx.query<StatusRow>(selectStatuses, [providerId, textArray(vehicleIds)]);
  return new Map(rows.map((row) => [row.vehicle_id, statusOf(row)]));
}

function statusOf(row: StatusRow): Status {
  return {
    signals: signalsOf(row, signalNames),
    times: timesOf(row),
    extra: new Map(Object.entries(row.extra ?? {})),
    doubted: doubtedOf(row),
    nextServiceOdometer: row.next_service_odometer ?? undefined,
  };
}

function doubtedOf({ doubted_odometer: odometer, doubted_ms: time, odometer_at }: StatusRow) {
  if (odometer === null || time === null) return undefined;
  // The previous release writes newer readings without judging them.
  return typeof odometer_at === 'number' && odometer_at >= time ? undefined : { time, odometer };
}

const selectStatuses = `
  select s.vehicle_id, s.next_service_odometer, s.extra, s.doubted_odometer,
    ${millisecondsOf('s.doubted_odometer_at')} as doubted_ms,
    ${selectedSignals(signalNames, 's')}, ${selectedTimes('s')}
  from vehicle_statuses s
  where s.provider = $1 and s.vehicle_id = any($2::text[])`;

/** Writes signals that are newer than those that were known, each with its time. */
export async function updateSignals(
  tx: Queryable,
  providerId: string,
  signals: SignalArrays,
): Promise<void> {
  await executeFor(tx, updateByVehicle, providerId, signals);
}

const updateByVehicle = signalStatement(signalColumns(signalNames), (columns) => {
  const arrays = [
    { name: 'vehicle_id', type: 'text' },
    { name: 'time', type: 'timestamptz' },
    ...columns,
  ];
  return `
    update vehicle_statuses s set
      last_updated = greatest(s.last_updated, new.time),
      history_until = greatest(s.history_until, new.time),
      ${columns.map(assignment).join(', ')}
    from unnest(${typedArrays(arrays, 2)}) as new (${arrays.map(({ name }) => name).join(', ')})
    where s.provider = $1 and s.vehicle_id = new.vehicle_id`;
});

function assignment({ name }: { name: string }): string {
  const value = `${name} = coalesce(new.${name}, s.${name})`;
  // A position has one time.
  if (name === 'lng') return value;
  const at = timeColumnOf(name);
  return `${value}, ${at} = case when new.${name} is null then s.${at} else new.time end`;
}

/** What follows from the signals and the history of a vehicle. */
export type DerivedStatus = {
  vehicleId: string;
  /** When the newest of all signals was measured. */
  newest: number | undefined;
  /** The newest moment that is written to the history, if any is. */
  historyUntil: number | undefined;
  nextServiceOdometer: number | undefined;
  doubted: OdometerReading | undefined;
  /** Absent when it has not changed. */
  extra: ExtraSignals | undefined;
};

export async function updateDerived(
  tx: Queryable,
  providerId: string,
  derived: readonly DerivedStatus[],
): Promise<void> {
  await tx.query(updateDerivedColumns, [
    providerId,
    textArray(derived.map(({ vehicleId }) => vehicleId)),
    instantArray(derived.map(({ newest }) => newest)),
    instantArray(derived.map(({ historyUntil }) => historyUntil)),
    columnArray(
      'double precision',
      derived.map(({ nextServiceOdometer }) => nextServiceOdometer),
    ),
    columnArray(
      'double precision',
      derived.map(({ doubted }) => doubted?.odometer),
    ),
    instantArray(derived.map(({ doubted }) => doubted?.time)),
    columnArray(
      'jsonb',
      derived.map(({ extra }) => extra && JSON.stringify(Object.fromEntries(extra))),
    ),
  ]);
}

const updateDerivedColumns = `
  update vehicle_statuses s set
    last_updated = greatest(s.last_updated, new.newest),
    history_until = greatest(s.history_until, new.history_until),
    next_service_odometer = new.next_service_odometer,
    doubted_odometer = new.doubted_odometer,
    doubted_odometer_at = new.doubted_odometer_at,
    extra = coalesce(new.extra, s.extra)
  from unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::double precision[],
      $6::double precision[], $7::timestamptz[], $8::jsonb[])
    as new (vehicle_id, newest, history_until, next_service_odometer, doubted_odometer, doubted_odometer_at, extra)
  where s.provider = $1 and s.vehicle_id = new.vehicle_id`;
