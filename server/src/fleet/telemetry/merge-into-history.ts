import type { Queryable } from '../../platform/db/database.ts';
import type { Events, MergedReadings } from '../events.ts';
import { judgeOdometers } from './judge-odometers.ts';
import { countLateServices } from './late-next-services.ts';
import type { Outcome, Reading } from './merge-readings.ts';
import { type MergedVehicle, mergeVehicle, newestOf } from './merge-vehicle.ts';
import { appendMoments, overwriteMoments, readMoments } from './moment-store.ts';
import { odometerStore } from './odometer-store.ts';
import type { Stretch } from './odometer-walk.ts';
import { needsReplan } from './replan-odometer.ts';
import { type SignalRow, signalArrays } from './signal-arrays.ts';
import { type Moment, signalNames } from './signals.ts';
import {
  type LockedStatus,
  readStatuses,
  type Status,
  updateDerived,
  updateSignals,
} from './status-store.ts';
import type { Ingested, VehicleReading } from './vehicle-reading.ts';

/** What changes of one vehicle. */
type Change = { vehicleId: string; locked: LockedStatus; status: Status; merged: MergedVehicle };

/** The messages of one vehicle, which is locked. */
export type Sent = {
  locked: LockedStatus;
  readings: readonly VehicleReading[];
  /** Where its odometers have to be judged again. */
  again?: Stretch;
};

/** Merges messages with what is known and publishes what changed; returns the result of each. */
export async function mergeIntoHistory(
  writer: { tx: Queryable; events: Events },
  providerId: string,
  sent: readonly Sent[],
): Promise<Map<VehicleReading, Ingested>> {
  const { tx, events } = writer;
  const ingested = new Map<VehicleReading, Ingested>();
  if (sent.length === 0) return ingested;
  const statuses = await readStatuses(
    tx,
    providerId,
    sent.map(({ locked }) => locked.vehicleId),
  );
  const lateMoments = await readLateMoments(tx, providerId, sent);
  const merges = sent.flatMap(({ locked, readings, again }) => {
    const status = statuses.get(locked.vehicleId);
    if (!status) return [];
    const storable = readings.filter((reading) => isStorable(reading, locked));
    const stored = locked.keepsPosition ? storable : storable.map(withoutPosition);
    const moments = lateMoments.get(locked.vehicleId) ?? new Map<number, Moment>();
    const merge = mergeVehicle(locked, status, moments, stored);
    const odometers = { ...merge.odometers, again };
    return { ...merge, locked, readings, storable, odometers };
  });
  await writeMoments(tx, providerId, merges);
  const store = odometerStore(tx, providerId);
  const judged = await judgeOdometers(
    store,
    merges
      .map(({ odometers }) => odometers)
      .filter(({ changed, again }) => changed.size > 0 || again !== undefined),
  );
  const changes: Change[] = [];
  for (const { locked, readings, storable, status, finish } of merges) {
    const merged = finish(judged.get(locked.vehicleId));
    const outcomes = new Map(storable.map((reading, index) => [reading, merged.outcomes[index]]));
    for (const reading of readings) {
      const isDoubtful = reading.signals.odometer !== undefined && merged.isDoubted(reading.time);
      ingested.set(reading, resultOf(outcomes.get(reading), reading, locked, isDoubtful));
    }
    if (isChanged(merged)) changes.push({ vehicleId: locked.vehicleId, locked, status, merged });
  }
  if (changes.length > 0) {
    await countLateServices(store, changes);
    await updateStatuses(tx, providerId, changes);
    await events.publish(tx, 'readingsMerged', { providerId, changes: changes.map(mergedOf) });
  }
  const walks = [...judged].flatMap(([vehicleId, { deferred }]) =>
    deferred.map((stretch) => ({ vehicleId, ...stretch })),
  );
  if (walks.length > 0) await events.publish(tx, 'judgingDeferred', { providerId, walks });
  return ingested;
}

/** What the history has of the moments that are not newer than all that is known of the vehicle. */
async function readLateMoments(
  tx: Queryable,
  providerId: string,
  sent: readonly Sent[],
): Promise<Map<string, Map<number, Moment>>> {
  const late = sent.flatMap(({ locked, readings }) =>
    readings.filter(({ time }) => time <= locked.newest),
  );
  const moments = await readMoments(tx, providerId, late);
  const byVehicle = new Map<string, Map<number, Moment>>();
  for (const [index, { vehicleId, time }] of late.entries()) {
    const moment = moments[index];
    if (!moment) continue;
    const ofVehicle = byVehicle.get(vehicleId) ?? new Map<number, Moment>();
    byVehicle.set(vehicleId, ofVehicle.set(time, moment));
  }
  return byVehicle;
}

function isStorable({ signals }: Reading, { keepsPosition }: LockedStatus): boolean {
  return (
    keepsPosition ||
    signals.extra !== undefined ||
    signalNames.some((name) => name !== 'location' && signals[name] !== undefined)
  );
}

function withoutPosition({ time, signals: { location: _, ...signals } }: Reading): Reading {
  return { time, signals };
}

function resultOf(
  outcome: Outcome | undefined,
  { signals }: Reading,
  { keepsPosition }: LockedStatus,
  isDoubtful: boolean,
): Ingested {
  if (outcome === undefined) return { result: 'rejected', reason: 'position_not_kept' };
  const isIgnored = signals.location !== undefined && !keepsPosition;
  return {
    result: outcome,
    ...(isIgnored && { ignored: ['location'] }),
    ...(isDoubtful && { doubtful: ['odometer'] }),
  };
}

function isChanged({
  changedSignals,
  changedMoments,
  isExtraChanged,
  judged,
}: MergedVehicle): boolean {
  return changedSignals.size + changedMoments.size + judged.rejudged.length > 0 || isExtraChanged;
}

async function updateStatuses(
  tx: Queryable,
  providerId: string,
  changes: readonly Change[],
): Promise<void> {
  for (const round of roundsOf(changes)) {
    await updateSignals(tx, providerId, signalArrays(round));
  }
  await updateDerived(
    tx,
    providerId,
    changes.map(({ vehicleId, merged }) => ({
      vehicleId,
      newest: merged.newest,
      historyUntil: newestOf([...merged.changedMoments.keys()]),
      nextServiceOdometer: merged.nextServiceOdometer,
      doubted: merged.doubted,
      extra: merged.isExtraChanged ? merged.extra : undefined,
    })),
  );
}

function mergedOf({ vehicleId, locked, status, merged }: Change): MergedReadings {
  return {
    vehicleId,
    before: status,
    after: merged,
    changedMoments: merged.undoubtedMoments,
    judgedOdometers: merged.judged.confirmed,
    rejudgedOdometers: merged.judged.rejudged,
    replanDue: needsReplan(locked, merged.signals.odometer),
  };
}

async function writeMoments(
  tx: Queryable,
  providerId: string,
  merges: readonly { locked: LockedStatus; changedMoments: MergedVehicle['changedMoments'] }[],
): Promise<void> {
  const [newer, late]: [SignalRow[], SignalRow[]] = [[], []];
  for (const { locked, changedMoments } of merges) {
    const { vehicleId } = locked;
    for (const [time, signals] of changedMoments) {
      (time > locked.newest ? newer : late).push({ vehicleId, time, signals });
    }
  }
  if (newer.length > 0) await appendMoments(tx, providerId, signalArrays(newer));
  if (late.length > 0) await overwriteMoments(tx, providerId, signalArrays(late));
}

/** A statement writes one time per vehicle: signals with several times need several rounds. */
function roundsOf(changes: readonly { vehicleId: string; merged: MergedVehicle }[]): SignalRow[][] {
  const rounds: SignalRow[][] = [];
  for (const { vehicleId, merged } of changes) {
    const { signals, times, changedSignals } = merged;
    const byTime = Map.groupBy(changedSignals, (name) => times[name] ?? 0);
    for (const [number, [time, names]] of [...byTime].entries()) {
      const changed = Object.fromEntries(names.map((name) => [name, signals[name]]));
      rounds[number] ??= [];
      rounds[number].push({ vehicleId, time, signals: changed });
    }
  }
  return rounds;
}
