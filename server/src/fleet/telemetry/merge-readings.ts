import { type Extra, type ExtraSignals, mergeExtra, mergeExtraMoment } from './extra-signals.ts';
import {
  historySignals,
  type Moment,
  type SignalName,
  type Signals,
  type SignalTimes,
  signalNames,
} from './signals.ts';

/** The signals of a vehicle at one time, in milliseconds. */
export type Reading = { time: number; signals: Signals };

/** What is known of a vehicle, and of the moments that readings may change. */
export type Known = {
  signals: Signals;
  times: SignalTimes;
  extra: ExtraSignals;
  moments: ReadonlyMap<number, Moment>;
  /** What is in doubt: the times of readings of the odometer; and the last one that is not. */
  doubt?: { times: ReadonlySet<number>; odometer: number | undefined } | undefined;
  /** The odometer at which the vehicle's own next service is due. */
  nextServiceOdometer?: number | undefined;
};

export type Outcome = 'accepted' | 'stale' | 'duplicate';

export type Merged = Omit<Known, 'moments' | 'doubt'> & {
  /** The result of each reading, as if they had come one by one. */
  outcomes: Outcome[];
  changedSignals: ReadonlySet<SignalName>;
  /** By time, the moments that are new or have changed. */
  changedMoments: ReadonlyMap<number, Moment>;
};

/**
 * Merges readings into what is known. Of every signal the newest value stays, and of two values for the same time the
 * greater: so the result does not depend on the order of the readings.
 */
export function mergeReadings(known: Known, readings: readonly Reading[]): Merged {
  const signals = { ...known.signals };
  const times = { ...known.times };
  const changedSignals = new Set<SignalName>();
  const changedMoments = new Map<number, Moment>();
  let { nextServiceOdometer, extra } = known;

  const outcomes = readings.map(({ time, signals: sent }): Outcome => {
    let isCurrent = false;
    let isExtraNew = false;
    const updated: SignalName[] = [];
    for (const name of signalNames) {
      if (sent[name] === undefined) continue;
      const age = time - (times[name] ?? Number.NEGATIVE_INFINITY);
      const order = age === 0 ? compare(sent[name], signals[name]) : age;
      if (order >= 0) isCurrent = true;
      if (order <= 0) continue;
      updated.push(name);
      set(signals, name, sent[name]);
      times[name] = time;
      changedSignals.add(name);
    }
    if (sent.extra) {
      const merged = mergeExtra(extra, time, sent.extra);
      if (merged !== extra || isAnyCurrent(merged, time, sent.extra)) isCurrent = true;
      isExtraNew = merged !== extra;
      extra = merged;
    }
    const before = changedMoments.get(time) ?? known.moments.get(time);
    const moment = withSignals(before, sent);
    if (moment !== before) changedMoments.set(time, moment);
    const isMeasured = moment.odometer !== before?.odometer && !known.doubt?.times.has(time);
    if (
      updated.includes('nextServiceDistance') ||
      (isMeasured && (times.nextServiceDistance === time || nextServiceOdometer === undefined))
    ) {
      nextServiceOdometer = withoutRounding(
        nextServiceOdometer,
        nextService(
          signals,
          known.doubt?.times.has(time) ? undefined : moment.odometer,
          known.doubt,
        ),
      );
    }
    if (updated.length === 0 && !isExtraNew && moment === before) return 'duplicate';
    return isCurrent ? 'accepted' : 'stale';
  });
  return { signals, times, extra, nextServiceOdometer, outcomes, changedSignals, changedMoments };
}

function isAnyCurrent(known: ExtraSignals, time: number, sent: Extra): boolean {
  return Object.keys(sent).some((name) => known.get(name)?.time === time);
}

/** Above 0 when the first is the greater; any value is greater than none. */
function compare(a: Signals[SignalName], b: Signals[SignalName]): number {
  if (b === undefined) return 1;
  if (typeof a === 'object' && typeof b === 'object') return a.lat - b.lat || a.lng - b.lng;
  if (a === b) return 0;
  return (a as number) > (b as number) ? 1 : -1;
}

/** The moment with the signals of a message; the same object when nothing is new. */
function withSignals(moment: Moment | undefined, sent: Signals): Moment {
  let merged = moment;
  for (const name of historySignals) {
    const value = sent[name];
    if (value === undefined || compare(value, merged?.[name]) <= 0) continue;
    if (merged === moment) merged = { ...moment };
    set(merged as Signals, name, value);
  }
  if (sent.extra) {
    const extra = mergeExtraMoment(merged?.extra, sent.extra);
    if (extra !== merged?.extra) merged = { ...merged, extra };
  }
  // A message with none of these signals is a moment, too, so that its repetition is a duplicate.
  return merged ?? {};
}

function set<Name extends SignalName>(signals: Signals, name: Name, value: Signals[Name]): void {
  signals[name] = value;
}

/** By the odometer of the same moment, or else by the newest; of a late message, `late-next-services.ts` finds the one of its time. */
function nextService(
  { odometer, nextServiceDistance }: Signals,
  measured: number | undefined,
  doubt: Known['doubt'],
): number | undefined {
  const known = measured ?? (doubt ? doubt.odometer : odometer) ?? Number.NaN;
  const sum = known + (nextServiceDistance ?? Number.NaN);
  return Number.isFinite(sum) ? sum : undefined;
}

/** Vehicles round the remaining distance: less than a kilometre is no change. */
export function withoutRounding(
  before: number | undefined,
  after: number | undefined,
): number | undefined {
  const same = before !== undefined && after !== undefined && Math.abs(after - before) < 1;
  return same ? before : after;
}
