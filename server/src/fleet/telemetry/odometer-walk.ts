import type { Period } from '../events.ts';
import {
  type Confirmed,
  judge,
  type OdometerReading,
  type OdometerState,
} from './odometer-doubt.ts';
import type { OdometerMark, StoredReading, StoredState } from './odometer-store.ts';

/** Where a job judges the readings of a vehicle: the walk does not end before `until`, where another was deferred. */
export type Stretch = { from: number; until: number };

/** The readings of one vehicle that are new or have changed, by their times; the history has them. */
export type ChangedOdometers = {
  vehicleId: string;
  changed: ReadonlyMap<number, number>;
  /** Where earlier walks were deferred. */
  again?: Stretch | undefined;
  /** The times of the messages, whose verdicts are returned. */
  sent: ReadonlySet<number>;
  /** What its status has; the time of an imported value may not be known. */
  status: {
    odometer?: number | undefined;
    time?: number | undefined;
    doubted?: OdometerReading | undefined;
  };
  /** No moment of the history is newer. */
  newest: number;
};

export type JudgedOdometers = {
  /** Of the messages, as far as they are judged otherwise than before. */
  confirmed: Map<number, { odometer: number; confirmed: Confirmed }>;
  /** Where other readings are: no more periods than readings that changed, or few of a walk that was deferred. */
  rejudged: Period[];
  /** Where a job has to go on: one stretch for all walks, of which a batch may have a thousand. */
  deferred: Stretch[];
  /** After the last reading of all; absent when nothing of it changed. */
  last?: OdometerState;
};

/** Of a walk that was deferred: sessions of charging are detected again around each. */
const maxPeriods = 100;

/** A walk through the readings of a vehicle, from each that changed until nothing differs from before. */
export class OdometerWalk {
  readonly vehicle: ChangedOdometers;
  readonly judged: JudgedOdometers = { confirmed: new Map(), rejudged: [], deferred: [] };
  /** Where the next page begins; undefined at the end. */
  from: number | undefined;
  /** Undefined where it has to be read. */
  state: OdometerState | undefined;
  /** Whether the reading of the status is in doubt now. */
  isStatusDoubted = false;
  private readonly changed: OdometerReading[];
  private next = 0;
  /** Those that are not written yet: of a page. */
  private readonly marks = new Map<number, { confirmed: Confirmed; before: Confirmed }>();
  /** The last of `rejudged`, while it goes on. */
  private period: Period | undefined;

  constructor(vehicle: ChangedOdometers) {
    this.vehicle = vehicle;
    this.changed = [...vehicle.changed]
      .map(([time, odometer]) => ({ time, odometer }))
      .sort((a, b) => a.time - b.time);
    this.from = this.changed[0]?.time;
    const { status, newest } = vehicle;
    const isTimed = status.odometer === undefined || status.time !== undefined;
    // Newer than all that is stored: nothing has to be read.
    if (
      this.from !== undefined &&
      this.from > newest &&
      (isTimed || newest === Number.NEGATIVE_INFINITY)
    ) {
      this.state = { undoubted: anchorOf(vehicle), doubted: status.doubted };
      this.continue([], 1);
    }
    if (vehicle.again) this.from = vehicle.again.from;
  }

  begin({ undoubted, doubted }: StoredState): void {
    const anchor = this.isStatusDoubted ? undefined : anchorOf(this.vehicle);
    const isAnchored =
      anchor && anchor.time < (this.from ?? 0) && (!undoubted || anchor.time > undoubted.time);
    this.state = { undoubted, doubted };
    if (isAnchored) {
      const isLater = doubted !== undefined && doubted.time > anchor.time;
      this.state = { undoubted: anchor, doubted: isLater ? doubted : undefined };
    }
    // Another reading is next now: whether it agrees is still to be seen.
    if (this.state.doubted && doubted?.confirmed) {
      this.mark(doubted, false, true);
    }
  }

  continue(page: readonly StoredReading[], count: number): void {
    const isLast = page.length < count;
    const end = isLast ? Number.POSITIVE_INFINITY : (page.at(-1)?.time ?? 0);
    let isSettled = false;
    for (const reading of this.readingsOf(page, end)) {
      isSettled = this.step(reading);
      if (isSettled && (this.changed[this.next]?.time ?? Number.POSITIVE_INFINITY) > end) break;
    }
    if (isSettled) {
      this.jump();
      return;
    }
    this.from = isLast ? undefined : end + 1;
    if (isLast) this.judged.last = this.state ?? {};
  }

  /** Leaves the rest to a job, unless the walk has ended or jumped. */
  defer(): void {
    if (this.from === undefined || this.state === undefined) return;
    const { from, vehicle, judged } = this;
    const until = Math.max(from, vehicle.again?.until ?? from);
    judged.deferred = [{ from: judged.deferred[0]?.from ?? from, until }];
    this.jump();
  }

  takeMarks(): OdometerMark[] {
    const { vehicleId } = this.vehicle;
    const marks: OdometerMark[] = [];
    for (const [time, { confirmed, before }] of this.marks)
      if (confirmed !== before) marks.push({ vehicleId, time, confirmed });
    this.marks.clear();
    return marks;
  }

  /** To the next that changed: nothing differs until there. */
  private jump(): void {
    this.from = this.changed[this.next]?.time;
    this.state = undefined;
    this.period = undefined;
  }

  /** Those of the page, and those that changed, in the order of time. */
  private readingsOf(page: readonly StoredReading[], end: number): WalkedReading[] {
    const readings = new Map<number, WalkedReading>(page.map((one) => [one.time, one]));
    const anchor = anchorOf(this.vehicle);
    if (
      anchor &&
      anchor.time >= (this.from ?? 0) &&
      anchor.time <= end &&
      !readings.has(anchor.time)
    ) {
      readings.set(anchor.time, { ...anchor, confirmed: null, isAnchor: true });
    }
    for (const { time, odometer } of this.changed.slice(this.next)) {
      if (time > end) break;
      const confirmed = readings.get(time)?.confirmed ?? null;
      readings.set(time, { time, odometer, confirmed, isChanged: true });
    }
    return [...readings.values()].sort((a, b) => a.time - b.time);
  }

  /** Whether the next reading is judged as it was before. */
  private step(reading: WalkedReading): boolean {
    const { time, odometer } = reading;
    const mayEnd = time >= (this.vehicle.again?.until ?? time);
    if (reading.isAnchor) {
      this.state = { undoubted: reading };
      return mayEnd;
    }
    const { state, confirmed, nowConfirmed } = judge(this.state ?? {}, { time, odometer });
    this.state = state;
    if (nowConfirmed) {
      const { before = false } = this.marks.get(nowConfirmed.time) ?? {};
      this.mark(nowConfirmed, true, before);
    }
    if (reading.isChanged) this.next += 1;
    if (reading.isChanged || confirmed !== reading.confirmed) {
      this.mark(reading, confirmed, reading.confirmed);
    }
    if (time === this.vehicle.status.time && reading.confirmed === null)
      this.isStatusDoubted = confirmed !== null;
    // Without its time, the status has to be found again: it is the last reading that is not in doubt.
    if (this.vehicle.status.time === undefined) return false;
    const isAsBefore = !reading.isChanged && confirmed === null && reading.confirmed === null;
    const mayEndPeriod = mayEnd || this.judged.rejudged.length < maxPeriods;
    if (isAsBefore && mayEndPeriod) this.period = undefined;
    return isAsBefore && mayEnd;
  }

  private mark({ time, odometer }: OdometerReading, confirmed: Confirmed, before: Confirmed): void {
    this.marks.set(time, { confirmed, before });
    if (this.vehicle.sent.has(time)) this.judged.confirmed.set(time, { odometer, confirmed });
    if (this.vehicle.changed.has(time)) return;
    if (!this.period) {
      this.period = { first: time, last: time };
      this.judged.rejudged.push(this.period);
    }
    this.period.first = Math.min(this.period.first, time);
    this.period.last = Math.max(this.period.last, time);
  }
}

type WalkedReading = StoredReading & { isChanged?: boolean; isAnchor?: boolean };

/** The value of the status, which need not be in the history: it may have been imported. */
function anchorOf({ status }: ChangedOdometers): OdometerReading | undefined {
  if (status.odometer === undefined) return undefined;
  return { time: status.time ?? Number.NEGATIVE_INFINITY, odometer: status.odometer };
}
