import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type DetectedSession, instantOf, writeDetected } from './session-store.ts';

/** A session as it was detected before late messages came. */
export type PreviousSession = {
  id: string;
  from: number;
  to: number;
  /** Until when it could have continued. */
  overAt: number;
};

/** Whose sessions they are. */
export type SessionsOf = {
  tx: Queryable;
  clock: Clock;
  providerId: string;
  vehicleId: string;
  /** When the session began that can still continue, if there is one. */
  openFrom: number | undefined;
};

/** The last one that began before a moment, and whether the history still has its beginning. */
export async function previousBefore(
  of: SessionsOf,
  time: number,
): Promise<(PreviousSession & { isInHistory: boolean }) | undefined> {
  const [row] = await of.tx.query<PreviousRow & { is_in_history: boolean }>(selectBefore, [
    of.providerId,
    of.vehicleId,
    instantOf(time),
  ]);
  return row && { ...previousOf(row, of), isInHistory: row.is_in_history };
}

/** Those that began within a period, by their beginning. */
export async function previousBetween(
  of: SessionsOf,
  first: number,
  last: number,
): Promise<Map<number, PreviousSession>> {
  const rows = await of.tx.query<PreviousRow>(selectBetween, [
    of.providerId,
    of.vehicleId,
    instantOf(first),
    instantOf(last),
  ]);
  return new Map(
    rows.map((row) => previousOf(row, of)).map((previous) => [previous.from, previous]),
  );
}

/**
 * The sessions of before that are none any more. One that is detected now, and begins at another time, takes over the id of the
 * first that it overlaps, and the row with it, to which invoices may be linked.
 */
export class RemovedSessions {
  /** Those that a session may still overlap, in the order of their beginnings. */
  #waiting: PreviousSession[] = [];
  #deleted: string[] = [];

  get size(): number {
    return this.#waiting.length + this.#deleted.length;
  }

  add(previous: PreviousSession): void {
    this.#waiting.push(previous);
  }

  /** The id that a session takes over, if there is one. They are detected in order, and overlap no other. */
  takeOver({ from, to = Number.POSITIVE_INFINITY }: DetectedSession): string | undefined {
    const first = this.#waiting.findIndex((previous) => previous.to >= from);
    // What ended before this session overlaps none of the later ones either.
    this.#delete(this.#waiting.splice(0, first < 0 ? this.#waiting.length : first));
    const [next] = this.#waiting;
    return next && next.from <= to ? this.#waiting.shift()?.id : undefined;
  }

  /**
   * The ids of those that no session takes over, each once. While others follow, these are the ones that overlap neither those
   * which begin after `time`, nor the one that is open since `openFrom` and takes over a single one.
   */
  takeDeleted(following?: { time: number; openFrom?: number }): string[] {
    const kept = new Set(following ? this.#stillNeeded(following) : []);
    this.#delete(this.#waiting.filter((previous) => !kept.has(previous)));
    this.#waiting = [...kept];
    const deleted = this.#deleted;
    this.#deleted = [];
    return deleted;
  }

  #stillNeeded({ time, openFrom = time }: { time: number; openFrom?: number }): PreviousSession[] {
    return this.#waiting
      .filter(({ to }) => to >= openFrom)
      .filter(({ to }, index) => index === 0 || to >= time);
  }

  #delete(removed: readonly PreviousSession[]): void {
    for (const { id } of removed) this.#deleted.push(id);
  }
}

/** Deletes sessions of before, and writes those that are detected now. */
export async function replaceSessions(
  { tx, clock, providerId, vehicleId }: SessionsOf,
  deleted: readonly string[],
  detected: readonly DetectedSession[],
): Promise<void> {
  if (deleted.length > 0) {
    await tx.query(
      `delete from charging_sessions
       where provider = $1 and vehicle_id = $2 and source = 'telemetry' and id = any($3)`,
      [providerId, vehicleId, deleted],
    );
  }
  await writeDetected({ tx, clock }, providerId, detected);
}

type PreviousRow = {
  id: string;
  from_time: string;
  to_time: string | null;
  over_at: string | null;
};

function previousOf(row: PreviousRow, { openFrom }: SessionsOf): PreviousSession {
  const from = Date.parse(row.from_time);
  const to = row.to_time === null ? Number.POSITIVE_INFINITY : Date.parse(row.to_time);
  if (row.over_at !== null) return { id: row.id, from, to, overAt: Date.parse(row.over_at) };
  // Only the open one can continue; any other without that time was not ended by a message.
  return { id: row.id, from, to, overAt: from === openFrom ? Number.POSITIVE_INFINITY : to };
}

const selectBefore = `
  select id, from_time, to_time, over_at, exists (
    select from vehicle_history h
    where h.provider = $1 and h.vehicle_id = $2 and h.time = s.from_time
  ) as is_in_history
  from charging_sessions s
  where provider = $1 and vehicle_id = $2 and source = 'telemetry' and from_time < $3
  order by from_time desc limit 1`;

const selectBetween = `
  select id, from_time, to_time, over_at from charging_sessions
  where provider = $1 and vehicle_id = $2 and source = 'telemetry' and from_time between $3 and $4`;
