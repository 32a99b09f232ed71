import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { planMaintenance } from '../shared/maintenance/plan-maintenance.ts';
import { refreshMaintenance } from '../shared/maintenance/refresh-maintenance.ts';
import { type Change, findCharging, isKnown } from './find-charging.ts';
import { type Known, mergeReadings, type Outcome, type Reading } from './merge-readings.ts';
import { readMoments, writeMoments } from './moment-store.ts';
import type { Moment } from './signals.ts';
import { type Held, holdStatuses, readStatuses, writeRest, writeSignals } from './status-store.ts';

/** A message whose sender is known. */
export type VehicleReading = Reading & { vehicleId: string };

/** What became of it; a position that may not be kept is ignored. */
export type Ingested =
  | { result: Outcome; ignored?: ['location'] }
  | { result: 'rejected'; reason: 'unknown_vehicle' | 'position_not_kept' };

/** Merges messages into the statuses and the history of their vehicles; answers in their order. */
export async function ingest(
  tx: Queryable,
  provider: ProviderRef,
  readings: readonly VehicleReading[],
  chargingGapMs: number,
): Promise<Ingested[]> {
  const byVehicle = Map.groupBy(readings, ({ vehicleId }) => vehicleId);
  const held = await holdStatuses(tx, provider.id, [...byVehicle.keys()]);
  const needed = [...held].filter(([id, one]) => !areNews(byVehicle.get(id) ?? [], one));
  const statuses = await readStatuses(
    tx,
    provider.id,
    needed.map(([vehicleId]) => vehicleId),
  );
  const pasts = await readPasts(tx, provider, readings, held);

  const ingested = new Map<VehicleReading, Ingested>();
  const changes: Change[] = [];
  for (const [vehicleId, one] of held) {
    const sent = byVehicle.get(vehicleId) ?? [];
    const kept = sent.filter((reading) => isKept(reading, one));
    const status = statuses.get(vehicleId);
    const known = { ...(status ?? nothing), moments: pasts.get(vehicleId) ?? new Map() };
    const merged = mergeReadings(known, one.keepsPosition ? kept : kept.map(withoutPosition));
    const outcomes = new Map(kept.map((reading, index) => [reading, merged.outcomes[index]]));
    for (const reading of sent) {
      ingested.set(reading, ingestedAs(outcomes.get(reading), reading, one));
    }
    if (merged.changedSignals.size + merged.changedMoments.size > 0) {
      changes.push({ vehicleId, held: one, status, merged });
    }
  }
  await write(tx, provider.id, changes, chargingGapMs);
  return readings.map(
    (reading) => ingested.get(reading) ?? { result: 'rejected', reason: 'unknown_vehicle' },
  );
}

/**
 * Whether messages are merged in the same way whatever is known of the vehicle: so that is not read,
 * which takes 15 µs a vehicle.
 */
function areNews(readings: readonly Reading[], { newest, goesOn }: Held): boolean {
  return (
    !goesOn &&
    readings.every(
      ({ time, signals: { isCharging, nextServiceDate, nextServiceDistance } }) =>
        time > newest &&
        isCharging !== true &&
        nextServiceDate === undefined &&
        nextServiceDistance === undefined,
    )
  );
}

const nothing: Omit<Known, 'moments'> = { signals: {}, times: {} };

/** What the history has of the moments that are not newer than all that is known of their vehicle. */
async function readPasts(
  tx: Queryable,
  provider: ProviderRef,
  readings: readonly VehicleReading[],
  held: ReadonlyMap<string, Held>,
): Promise<Map<string, Map<number, Moment>>> {
  const late = readings.filter(
    ({ vehicleId, time }) => time <= (held.get(vehicleId)?.newest ?? Number.NEGATIVE_INFINITY),
  );
  const found = await readMoments(tx, provider.id, late);
  const pasts = new Map<string, Map<number, Moment>>();
  for (const [index, { vehicleId, time }] of late.entries()) {
    const moment = found[index];
    if (!moment) continue;
    const past = pasts.get(vehicleId) ?? new Map<number, Moment>();
    pasts.set(vehicleId, past.set(time, moment));
  }
  return pasts;
}

function isKept({ signals }: Reading, { keepsPosition }: Held): boolean {
  return keepsPosition || Object.keys(signals).some((name) => name !== 'location');
}

function withoutPosition({ time, signals: { location: _, ...signals } }: Reading): Reading {
  return { time, signals };
}

function ingestedAs(
  outcome: Outcome | undefined,
  { signals }: Reading,
  { keepsPosition }: Held,
): Ingested {
  if (outcome === undefined) return { result: 'rejected', reason: 'position_not_kept' };
  const isIgnored = signals.location !== undefined && !keepsPosition;
  return { result: outcome, ...(isIgnored && { ignored: ['location'] }) };
}

async function write(
  tx: Queryable,
  providerId: string,
  changes: readonly Change[],
  chargingGapMs: number,
): Promise<void> {
  await writeMoments(
    tx,
    providerId,
    changes.flatMap(({ vehicleId, held, merged }) =>
      [...merged.changedMoments].map(([time, moment]) => ({
        vehicleId,
        time,
        moment,
        isNew: time > held.newest,
      })),
    ),
  );
  const charging = await findCharging(tx, providerId, changes.filter(isKnown), chargingGapMs);
  await writeSignals(tx, providerId, changes);
  await writeRest(
    tx,
    providerId,
    changes.filter(isKnown).map(({ vehicleId, merged }) => ({
      vehicleId,
      newest: newestOf(Object.values(merged.times)) ?? 0,
      historyUntil: newestOf([...merged.changedMoments.keys()]),
      nextServiceOdometer: merged.nextServiceOdometer,
      charging: charging.get(vehicleId) ?? null,
    })),
  );
  const toPlan = changes.filter(changesService).map(({ vehicleId }) => vehicleId);
  if (toPlan.length > 0) await planMaintenance(tx, providerId, toPlan);
  const toRefresh = changes
    .filter((change) => !changesService(change) && reachesReview(change))
    .map(({ vehicleId }) => vehicleId);
  if (toRefresh.length > 0) await refreshMaintenance(tx, providerId, toRefresh);
}

function newestOf(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}

/** Whether the vehicle itself tells of another next service. */
function changesService({ status, merged }: Change): boolean {
  return (
    merged.signals.nextServiceDate !== status?.signals.nextServiceDate ||
    merged.nextServiceOdometer !== status?.nextServiceOdometer
  );
}

/** Whether what is planned by distance has to be looked at again; also when the odometer was put right. */
function reachesReview({ held, merged }: Change): boolean {
  const { odometer } = merged.signals;
  if (held.reviewOdometer === null || odometer === undefined || odometer === held.odometer)
    return false;
  return odometer >= held.reviewOdometer || odometer < (held.odometer ?? 0);
}
