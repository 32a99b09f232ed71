import type { Queryable } from '../../platform/db/database.ts';
import { instantArray, textArray } from '../telemetry/column-arrays.ts';
import type { Merged } from '../telemetry/merge-readings.ts';
import type { Moment, SignalTimes } from '../telemetry/signals.ts';
import type { LockedStatus, Status } from '../telemetry/status-store.ts';
import { type ChargingChange, type ChargingState, findSessions } from './find-sessions.ts';

/** What changes of one vehicle. */
export type Change = { vehicleId: string; locked: LockedStatus; status: Status; merged: Merged };

/**
 * Finds the charging sessions in what changes, where there can be any. Answers what the next
 * messages of each vehicle go on with.
 */
export async function findCharging(
  tx: Queryable,
  providerId: string,
  changes: readonly Change[],
  gapMs: number,
): Promise<Map<string, ChargingState | null>> {
  const states = new Map(changes.map(({ vehicleId, status }) => [vehicleId, status.charging]));
  const touched = await touchedSessions(tx, providerId, changes.filter(comesLate));
  const charging = changes
    .filter((change) => isCharging(change) || touched.has(change.vehicleId))
    .map(chargingChangeOf);
  if (charging.length === 0) return states;
  for (const [vehicleId, state] of await findSessions(tx, providerId, charging, gapMs)) {
    states.set(vehicleId, state);
  }
  return states;
}

/** Whether a session goes on, ends or begins. */
function isCharging({ status, merged: { changedMoments } }: Change): boolean {
  return (
    status.charging !== null ||
    [...changedMoments.values()].some((moment) => moment.isCharging === true)
  );
}

/** Whether a session of the past may turn out to be another. */
function comesLate(change: Change): boolean {
  const { status, merged } = change;
  if (isCharging(change)) return false;
  if (status.signals.isCharging === undefined && status.signals.isPluggedIn === undefined) {
    return false;
  }
  const known = newestSign(status.times);
  return [...merged.changedMoments].some(
    ([time, moment]) => time <= known && tellsOfCharging(moment),
  );
}

/**
 * The vehicles with a session that was not over yet at the first of these moments. None of these
 * messages charges, and each that does has its session: so where there is none, none is found.
 */
async function touchedSessions(
  tx: Queryable,
  providerId: string,
  late: readonly Change[],
): Promise<Set<string>> {
  if (late.length === 0) return new Set();
  const rows = await tx.query<{ vehicle_id: string }>(selectTouched, [
    providerId,
    textArray(late.map(({ vehicleId }) => vehicleId)),
    instantArray(late.map(({ merged }) => Math.min(...merged.changedMoments.keys()))),
  ]);
  return new Set(rows.map(({ vehicle_id }) => vehicle_id));
}

const selectTouched = `
  select late.vehicle_id from unnest($2::text[], $3::timestamptz[]) as late (vehicle_id, first)
  where exists (
    select from charging_sessions c
    where c.provider = $1 and c.vehicle_id = late.vehicle_id and c.source = 'telemetry'
      and (c.over_at is null or c.over_at >= late.first)
  )`;

function chargingChangeOf({ vehicleId, status, merged }: Change): ChargingChange {
  const samples = [...merged.changedMoments].map(sampleOf).sort((a, b) => a.time - b.time);
  const known = newestSign(status.times);
  return {
    vehicleId,
    samples,
    late: samples.some(({ time }) => time <= known),
    state: status.charging,
    lastKnown: lastKnownOf(status),
    battery: status.battery,
  };
}

/** When the newest signal was measured that sessions are found by. */
function newestSign(times: SignalTimes): number {
  const { isCharging, isPluggedIn, fuelLevel, energyMeter, location } = times;
  return Math.max(
    ...[isCharging, isPluggedIn, fuelLevel, energyMeter, location].map(
      (time) => time ?? Number.NEGATIVE_INFINITY,
    ),
  );
}

function tellsOfCharging({ odometer: _, ...signs }: Moment): boolean {
  return Object.keys(signs).length > 0;
}

function sampleOf([time, { odometer: _, fuelLevel: level, ...signs }]: [
  number,
  Moment,
]): ChargingChange['samples'][number] {
  return { time, ...signs, ...(level !== undefined && { level }) };
}

function lastKnownOf({ signals, times }: Status): ChargingChange['lastKnown'] {
  const { fuelLevel, location, isPluggedIn } = signals;
  return {
    ...(fuelLevel !== undefined &&
      times.fuelLevel !== undefined && { level: { value: fuelLevel, time: times.fuelLevel } }),
    ...(location &&
      times.location !== undefined && { location: { ...location, time: times.location } }),
    ...(isPluggedIn !== undefined &&
      times.isPluggedIn !== undefined && { plug: { isIn: isPluggedIn, time: times.isPluggedIn } }),
  };
}
