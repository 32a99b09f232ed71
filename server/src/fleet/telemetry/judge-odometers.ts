import type { Queryable } from '../../platform/db/database.ts';
import {
  type Confirmed,
  judge,
  type OdometerReading,
  type OdometerState,
} from './odometer-doubt.ts';
import {
  readOdometerStates,
  readOdometers,
  type StoredReading,
  type StoredState,
} from './odometer-store.ts';

/** The readings of one vehicle that are new or have changed, by their times. */
export type ChangedOdometers = {
  vehicleId: string;
  changed: ReadonlyMap<number, number>;
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
  /** Of the readings that changed, and of others that are judged differently since. */
  confirmed: Map<number, { odometer: number; confirmed: Confirmed; before: Confirmed }>;
  /** After the last reading of all; absent when nothing of it changed. */
  last?: OdometerState;
};

// Of all walks that are read together. Others are served between statements.
const maxReadings = 4_096;

/** Judges the readings that changed, and those after them as far as they are affected. */
export async function judgeOdometers(
  tx: Queryable,
  providerId: string,
  vehicles: readonly ChangedOdometers[],
): Promise<Map<string, JudgedOdometers>> {
  const walks = vehicles.map((vehicle) => new Walk(vehicle));
  for (let count = 8; ; count = Math.min(count * 8, maxReadings)) {
    const unknown = walks.filter((walk) => walk.from !== undefined && !walk.state);
    const states = await readFrom(unknown, (keys) => readOdometerStates(tx, providerId, keys));
    for (const [index, walk] of unknown.entries()) walk.begin(states[index] ?? {});
    const open = walks.filter((walk) => walk.from !== undefined);
    if (open.length === 0) break;
    const groupSize = Math.floor(maxReadings / count);
    for (let first = 0; first < open.length; first += groupSize) {
      const group = open.slice(first, first + groupSize);
      const pages = await readFrom(group, (keys) => readOdometers(tx, providerId, keys, count));
      for (const [index, walk] of group.entries()) walk.continue(pages[index] ?? [], count);
    }
  }
  return new Map(walks.map(({ vehicle, judged }) => [vehicle.vehicleId, judged]));
}

async function readFrom<Row>(
  walks: readonly Walk[],
  read: (keys: { vehicleId: string; time: number }[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (walks.length === 0) return [];
  return read(walks.map(({ vehicle: { vehicleId }, from = 0 }) => ({ vehicleId, time: from })));
}

/** A walk through the readings of a vehicle, from each that changed until nothing differs from before. */
class Walk {
  readonly vehicle: ChangedOdometers;
  readonly judged: JudgedOdometers = { confirmed: new Map() };
  /** Where the next page begins; undefined at the end. */
  from: number | undefined;
  /** Undefined where it has to be read. */
  state: OdometerState | undefined;
  private readonly changed: OdometerReading[];
  private next = 0;

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
  }

  begin({ undoubted, doubted }: StoredState): void {
    const anchor = anchorOf(this.vehicle);
    const isAnchored =
      anchor && anchor.time < (this.from ?? 0) && (!undoubted || anchor.time > undoubted.time);
    this.state = { undoubted, doubted };
    if (isAnchored) {
      const isLater = doubted !== undefined && doubted.time > anchor.time;
      this.state = { undoubted: anchor, doubted: isLater ? doubted : undefined };
    }
    // Another reading is next now: whether it agrees is still to be seen.
    if (this.state.doubted && doubted?.confirmed) {
      const { time, odometer } = doubted;
      this.judged.confirmed.set(time, { odometer, confirmed: false, before: true });
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

  /** To the next that changed: nothing differs until there. */
  private jump(): void {
    this.from = this.changed[this.next]?.time;
    this.state = undefined;
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
    if (reading.isAnchor) {
      this.state = { undoubted: reading };
      return true;
    }
    const { time, odometer } = reading;
    const { state, confirmed, nowConfirmed } = judge(this.state ?? {}, { time, odometer });
    this.state = state;
    if (nowConfirmed) {
      const { before = false } = this.judged.confirmed.get(nowConfirmed.time) ?? {};
      const { odometer: agreed } = nowConfirmed;
      this.judged.confirmed.set(nowConfirmed.time, { odometer: agreed, confirmed: true, before });
    }
    if (reading.isChanged) this.next += 1;
    if (reading.isChanged || confirmed !== reading.confirmed) {
      this.judged.confirmed.set(time, { odometer, confirmed, before: reading.confirmed });
    }
    // Without its time, the status has to be found again: it is the last reading that is not in doubt.
    if (this.vehicle.status.time === undefined) return false;
    return !reading.isChanged && confirmed === null && reading.confirmed === null;
  }
}

type WalkedReading = StoredReading & { isChanged?: boolean; isAnchor?: boolean };

/** The value of the status, which need not be in the history: it may have been imported. */
function anchorOf({ status }: ChangedOdometers): OdometerReading | undefined {
  if (status.odometer === undefined) return undefined;
  return { time: status.time ?? Number.NEGATIVE_INFINITY, odometer: status.odometer };
}
