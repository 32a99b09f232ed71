import type { Queryable } from '../../platform/db/database.ts';
import { type FoundSession, instantOf, writeFound } from './session-store.ts';

/** A session as it was found before late messages came. */
export type PreviousSession = {
  id: string;
  from: number;
  to: number;
  /** Until when it could have gone on. */
  overAt: number;
};

/** Whose sessions they are. */
export type SessionsOf = {
  tx: Queryable;
  providerId: string;
  vehicleId: string;
  /** When the session began that can still go on, if there is one. */
  liveFrom: number | undefined;
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

/** Puts sessions in the place of previous ones. Each takes over the id of the first that it overlaps. */
export async function replaceSessions(
  { tx, providerId, vehicleId }: SessionsOf,
  previousSessions: readonly PreviousSession[],
  found: readonly FoundSession[],
): Promise<void> {
  const starts = new Set(found.map(({ from }) => from));
  const gone = previousSessions.filter(({ from }) => !starts.has(from));
  if (gone.length > 0) {
    await tx.query(
      `delete from charging_sessions
       where provider = $1 and vehicle_id = $2 and source = 'telemetry' and id = any($3)`,
      [providerId, vehicleId, gone.map(({ id }) => id)],
    );
  }
  const kept = new Set(previousSessions.map(({ from }) => from));
  const free = new Set(gone);
  const heirs = found.map((session) => {
    if (kept.has(session.from)) return session;
    const heritage = [...free].find((previous) => overlaps(previous, session));
    if (!heritage) return session;
    free.delete(heritage);
    return { ...session, id: heritage.id };
  });
  await writeFound(tx, providerId, heirs);
}

function overlaps(
  previous: PreviousSession,
  { from, to = Number.POSITIVE_INFINITY }: FoundSession,
): boolean {
  return previous.from <= to && from <= previous.to;
}

type PreviousRow = {
  id: string;
  from_time: string;
  to_time: string | null;
  over_at: string | null;
};

function previousOf(row: PreviousRow, { liveFrom }: SessionsOf): PreviousSession {
  const from = Date.parse(row.from_time);
  const to = row.to_time === null ? Number.POSITIVE_INFINITY : Date.parse(row.to_time);
  if (row.over_at !== null) return { id: row.id, from, to, overAt: Date.parse(row.over_at) };
  // Only the live one can go on: whatever else has no such moment was not found by messages.
  return { id: row.id, from, to, overAt: from === liveFrom ? Number.POSITIVE_INFINITY : to };
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
