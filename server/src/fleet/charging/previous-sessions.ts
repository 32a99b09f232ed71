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
 * Replaces previous sessions; both are in the order of their beginnings. A session that begins at another time takes
 * over the id of the first that it overlaps, and the row with it, to which invoices may be linked.
 */
export async function replaceSessions(
  { tx, clock, providerId, vehicleId }: SessionsOf,
  previousSessions: readonly PreviousSession[],
  detected: readonly DetectedSession[],
): Promise<void> {
  const starts = new Set(detected.map(({ from }) => from));
  const removed = previousSessions.filter(({ from }) => !starts.has(from));
  const kept = new Set(previousSessions.map(({ from }) => from));
  let next = 0;
  const withIds = detected.map((session) => {
    if (kept.has(session.from)) return session;
    // What ended before this session overlaps none of the later ones either.
    while ((removed[next]?.to ?? Number.POSITIVE_INFINITY) < session.from) next += 1;
    const replaced = removed[next];
    if (!replaced || !overlaps(replaced, session)) return session;
    next += 1;
    return { ...session, id: replaced.id };
  });
  const taken = new Set(withIds.map(({ id }) => id));
  const deleted = removed.map(({ id }) => id).filter((id) => !taken.has(id));
  if (deleted.length > 0) {
    await tx.query(
      `delete from charging_sessions
       where provider = $1 and vehicle_id = $2 and source = 'telemetry' and id = any($3)`,
      [providerId, vehicleId, deleted],
    );
  }
  await writeDetected({ tx, clock }, providerId, withIds);
}

function overlaps(
  previous: PreviousSession,
  { from, to = Number.POSITIVE_INFINITY }: DetectedSession,
): boolean {
  return previous.from <= to && from <= previous.to;
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
