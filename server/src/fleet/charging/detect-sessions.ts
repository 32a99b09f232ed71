import { instantArray, textArray } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents, MergedReadings, Period, SignalState } from '../events.ts';
import type { ChargingSample } from './detection/session.ts';
import { lastKnownOf } from './last-known.ts';
import { chargingSignals, sampleOf } from './moment-sample.ts';
import { type KnownCharging, readStates, writeStates } from './state-store.ts';
import { type ChargingChange, updateSessions } from './update-sessions.ts';

type Change = MergedReadings & KnownCharging;

/** Detects the charging sessions in merged readings, where there can be any. */
export async function detectSessions(
  { providerId, changes: merged }: FleetEvents['readingsMerged'],
  { tx, clock, settings }: SubscriberContext,
): Promise<void> {
  const known = await readStates(
    tx,
    providerId,
    merged.map(({ vehicleId }) => vehicleId),
  );
  const changes = merged.flatMap((change) => {
    const ofVehicle = known.get(change.vehicleId);
    return ofVehicle ? { ...change, ...ofVehicle } : [];
  });
  const affected = await vehiclesWithSession(tx, providerId, changes.filter(isLate));
  const charging = changes
    .filter((change) => isCharging(change) || affected.has(change.vehicleId))
    .map(chargingChangeOf);
  if (charging.length === 0) return;
  const context = { tx, clock, gapMs: settings.chargingGapMs };
  const states = await updateSessions(context, providerId, charging);
  await writeStates(tx, providerId, states);
}

/** Whether a session begins, continues or ends. */
function isCharging({ state, changedMoments }: Change): boolean {
  return (
    state !== null || [...changedMoments.values()].some((moment) => moment.isCharging === true)
  );
}

/** Whether a session of the past may change. */
function isLate(change: Change): boolean {
  const { before } = change;
  if (isCharging(change)) return false;
  if (before.signals.isCharging === undefined && before.signals.isPluggedIn === undefined) {
    return false;
  }
  return firstTime(change) <= newestChargingSignal(before.times);
}

/**
 * The vehicles with a session that was not over at the first of these moments. None of these messages charges: so
 * where there is no such session, there is none to detect.
 */
async function vehiclesWithSession(
  tx: Queryable,
  providerId: string,
  late: readonly Change[],
): Promise<Set<string>> {
  if (late.length === 0) return new Set();
  const rows = await tx.query<{ vehicle_id: string }>(selectWithSession, [
    providerId,
    textArray(late.map(({ vehicleId }) => vehicleId)),
    instantArray(late.map(firstTime)),
  ]);
  return new Set(rows.map(({ vehicle_id }) => vehicle_id));
}

function firstTime(change: Change): number {
  return changedPeriods(change)[0]?.first ?? Number.POSITIVE_INFINITY;
}

/** When something changed, in the order of time; some may overlap. */
function changedPeriods({ changedMoments, judgedOdometers, rejudgedOdometers }: Change): Period[] {
  const times = [...changedMoments.keys(), ...judgedOdometers.keys()];
  const moments = times.map((time) => ({ first: time, last: time }));
  return [...moments, ...rejudgedOdometers].sort((a, b) => a.first - b.first);
}

const selectWithSession = `
  select late.vehicle_id from unnest($2::text[], $3::timestamptz[]) as late (vehicle_id, first)
  where exists (
    select from charging_sessions c
    where c.provider = $1 and c.vehicle_id = late.vehicle_id and c.source = 'telemetry'
      and (c.over_at is null or c.over_at >= late.first)
  )`;

function chargingChangeOf(change: Change): ChargingChange {
  const { vehicleId, before, state, battery } = change;
  const { levelIsCharge } = battery;
  // What other moments say now is in the history alone.
  const isInOrder =
    change.rejudgedOdometers.length === 0 && firstTime(change) > newestChargingSignal(before.times);
  return {
    vehicleId,
    state,
    lastKnown: lastKnownOf(before, levelIsCharge),
    battery,
    ...(isInOrder
      ? { samples: samplesOf(change, levelIsCharge) }
      : { changedPeriods: changedPeriods(change) }),
  };
}

function samplesOf(
  { changedMoments, judgedOdometers }: Change,
  levelIsCharge: boolean,
): ChargingSample[] {
  const moments = new Map(changedMoments);
  for (const [time, { odometer, confirmed }] of judgedOdometers) {
    if (confirmed !== false) moments.set(time, { ...moments.get(time), odometer });
  }
  return [...moments]
    .map(([time, moment]) => sampleOf(time, moment, levelIsCharge))
    .sort((a, b) => a.time - b.time);
}

/** When the newest signal was measured that sessions are detected by. */
function newestChargingSignal(times: SignalState['times']): number {
  return Math.max(...chargingSignals.map((signal) => times[signal] ?? Number.NEGATIVE_INFINITY));
}
