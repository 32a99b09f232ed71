import { type Merged, mergeReadings, type Reading } from './merge-readings.ts';
import type { OdometerReading } from './odometer-doubt.ts';
import type { ChangedOdometers, JudgedOdometers } from './odometer-walk.ts';
import type { Moment, Signals, SignalTimes } from './signals.ts';
import type { LockedStatus, Status } from './status-store.ts';

/** What messages make of a vehicle: its signals have the last odometer that is not in doubt. */
export type MergedVehicle = Merged & {
  /** When the newest of all signals was measured. */
  newest: number | undefined;
  isExtraChanged: boolean;
  /** The newest reading of the odometer, if it is in doubt. */
  doubted: OdometerReading | undefined;
  /** The readings of the odometer that were judged. */
  judged: JudgedOdometers;
  isDoubted(time: number): boolean;
  /** The moments that changed, without odometers that are in doubt. */
  undoubtedMoments: ReadonlyMap<number, Moment>;
};

type Merging = {
  status: Status;
  /** By time, the moments that are new or have changed. */
  changedMoments: Merged['changedMoments'];
  /** The readings of the odometer that have to be judged. */
  odometers: ChangedOdometers;
  /** Completes the merge when they are. */
  finish(judged: JudgedOdometers | undefined): MergedVehicle;
};

/** Merges messages of a vehicle with what is known, all readings of the odometer as if none were in doubt at first. */
export function mergeVehicle(
  { vehicleId, newest }: LockedStatus,
  status: Status,
  moments: ReadonlyMap<number, Moment>,
  readings: readonly Reading[],
): Merging {
  const known = { ...withNewestOdometer(status), moments };
  const merged = mergeReadings(known, readings);
  const odometers = {
    vehicleId,
    changed: changedOdometers(merged, moments),
    sent: new Set(readings.map(({ time }) => time)),
    status: {
      odometer: status.signals.odometer,
      time: status.times.odometer,
      doubted: status.doubted,
    },
    newest,
  };
  const finish = (judged: JudgedOdometers = nothingJudged) => {
    const { confirmed } = judged;
    const isDoubted = (time: number) =>
      confirmed.has(time)
        ? confirmed.get(time)?.confirmed === false
        : status.doubted?.time === time;
    const { undoubted, doubted } = judged.last ?? {
      undoubted: readingOf(status.signals, status.times),
      doubted: status.doubted,
    };
    const doubtedTimes = readings.map(({ time }) => time).filter(isDoubted);
    const isInDoubt = doubtedTimes.length > 0 || status.doubted !== undefined;
    const doubt = { times: new Set(doubtedTimes), odometer: undoubted?.odometer };
    const result = isInDoubt ? mergeReadings({ ...known, doubt }, readings) : merged;
    return {
      ...withOdometer(result, status, undoubted),
      newest: newestOf([
        ...Object.values(result.times),
        ...[...result.extra.values()].map(({ time }) => time),
      ]),
      isExtraChanged: result.extra !== status.extra,
      doubted,
      judged,
      isDoubted,
      undoubtedMoments: undoubtedMoments(result, isDoubted),
    };
  };
  return { status, changedMoments: merged.changedMoments, odometers, finish };
}

const nothingJudged: JudgedOdometers = { confirmed: new Map(), rejudged: [], deferred: [] };

/** The status with the newest reading of all, so that the result of a message does not depend on what is in doubt. */
function withNewestOdometer({ doubted, ...status }: Status): Omit<Status, 'doubted'> {
  if (!doubted) return status;
  return {
    ...status,
    signals: { ...status.signals, odometer: doubted.odometer },
    times: { ...status.times, odometer: doubted.time },
  };
}

function changedOdometers(
  { signals, times, changedSignals, changedMoments }: Merged,
  before: ReadonlyMap<number, Moment>,
): Map<number, number> {
  const changed = new Map<number, number>();
  for (const [time, { odometer }] of changedMoments) {
    if (odometer !== undefined && odometer !== before.get(time)?.odometer)
      changed.set(time, odometer);
  }
  // After an import that knows no time, a message that came before can be the newest again.
  if (changedSignals.has('odometer') && signals.odometer !== undefined) {
    const { odometer: time = 0 } = times;
    changed.set(
      time,
      changedMoments.get(time)?.odometer ?? before.get(time)?.odometer ?? signals.odometer,
    );
  }
  return changed;
}

function readingOf({ odometer }: Signals, times: SignalTimes): OdometerReading | undefined {
  if (odometer === undefined) return undefined;
  return { odometer, time: times.odometer ?? Number.NEGATIVE_INFINITY };
}

function withOdometer(
  merged: Merged,
  status: Status,
  reading: OdometerReading | undefined,
): Merged {
  const { odometer: _, ...signals } = merged.signals;
  const { odometer: __, ...times } = merged.times;
  const changedSignals = new Set(merged.changedSignals);
  const before = readingOf(status.signals, status.times);
  const isSame = reading?.odometer === before?.odometer && reading?.time === before?.time;
  if (isSame) changedSignals.delete('odometer');
  else changedSignals.add('odometer');
  return {
    ...merged,
    signals: { ...signals, ...(reading && { odometer: reading.odometer }) },
    times: {
      ...times,
      ...(reading && Number.isFinite(reading.time) && { odometer: reading.time }),
    },
    changedSignals,
  };
}

function undoubtedMoments(
  { changedMoments }: Merged,
  isDoubted: (time: number) => boolean,
): ReadonlyMap<number, Moment> {
  const doubted = [...changedMoments].filter(
    ([time, { odometer }]) => odometer !== undefined && isDoubted(time),
  );
  if (doubted.length === 0) return changedMoments;
  const moments = new Map(changedMoments);
  for (const [time, { odometer: _, ...moment }] of doubted) moments.set(time, moment);
  return moments;
}

/** Without spreading: a batch may have more times than a call may have arguments. */
export function newestOf(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}
