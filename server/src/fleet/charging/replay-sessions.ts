import type { Period } from '../events.ts';
import { type HistoryOf, lastKnownBefore, samplesFrom } from './charging-samples.ts';
import type { LastKnown, Session } from './detection/session.ts';
import {
  type DetectorState,
  dayMs,
  type EndedSession,
  step,
} from './detection/session-detector.ts';
import {
  type PreviousSession,
  previousBefore,
  previousBetween,
  replaceSessions,
  type SessionsOf,
} from './previous-sessions.ts';
import { detectedOf } from './session-store.ts';

/** The vehicle that sent late messages, and what was known of it before them. */
export type Replay = HistoryOf &
  SessionsOf & {
    lastKnown: LastKnown;
    capacityKwh?: number;
    gapMs: number;
  };

/** What was detected in a part of the history. */
type ReplayedPart = {
  ended: EndedSession[];
  /** The session after the newest message, if the replay got that far. */
  last?: { session: Session | undefined };
  /** The sessions that were detected there before. */
  previousSessions: PreviousSession[];
  /** The changes after it. */
  rest: readonly Period[];
};

/**
 * Detects the sessions around changed periods of the history again, each time from where the first of them may
 * matter to where the state is as it was before. Returns the session after the newest message, if it got that far.
 */
export async function replaySessions(
  replay: Replay,
  changed: readonly Period[],
): Promise<ReplayedPart['last']> {
  let last: ReplayedPart['last'];
  let rest = changed;
  for (let [next] = rest; next !== undefined; [next] = rest) {
    const { first } = next;
    const previous = await previousBefore(replay, first);
    const isWithin = previous !== undefined && previous.overAt >= first;
    if (isWithin && !previous.isInHistory) {
      // Its beginning is no longer in the history: it stays as it is.
      rest = rest
        .filter(({ last }) => last > previous.overAt)
        .map((one) => ({ ...one, first: Math.max(one.first, previous.overAt + 1) }));
      continue;
    }
    const part = await replayFrom(replay, isWithin ? previous.from : first, rest);
    ({ last, rest } = part);
    const detected = detectedOf(replay, part.ended, last?.session);
    await replaceSessions(replay, part.previousSessions, detected);
  }
  return last;
}

async function replayFrom(
  replay: Replay,
  start: number,
  changed: readonly Period[],
): Promise<ReplayedPart> {
  const ended: EndedSession[] = [];
  const previousSessions: PreviousSession[] = [];
  let state: DetectorState = { lastKnown: await lastKnownAt(replay, start) };
  let previous: PreviousSession | undefined;
  let passed = 0;
  let lastChange: number | undefined;
  for await (const samples of samplesFrom(replay, start)) {
    const end = samples.at(-1)?.time ?? start;
    const begun = await previousBetween(replay, samples[0]?.time ?? start, end);
    for (const sample of samples) {
      const { time } = sample;
      const next = step(state, sample, replay.gapMs);
      state = next.state;
      if (next.ended) ended.push(next.ended);
      if (previous && previous.overAt <= time) previous = undefined;
      previous = begun.get(time) ?? previous;
      if (previous?.from === time) previousSessions.push(previous);
      while ((changed[passed]?.last ?? Number.POSITIVE_INFINITY) <= time) {
        passed += 1;
        lastChange = time;
      }
      const isChanging = (changed[passed]?.first ?? Number.POSITIVE_INFINITY) <= time;
      if (isChanging || lastChange === undefined) continue;
      if (isAsBefore(state, time, lastChange, previous)) {
        // The session of this moment continues as it did.
        const replaced = previousSessions.filter((one) => one !== previous);
        return { ended, previousSessions: replaced, rest: changed.slice(passed) };
      }
    }
  }
  return { ended, last: { session: state.session }, previousSessions, rest: [] };
}

/** Whether nothing in the state depends on the last change or on anything before it. */
function isAsBefore(
  { session, lastKnown }: DetectorState,
  time: number,
  lastChange: number,
  previous: PreviousSession | undefined,
): boolean {
  const isLater = (known: { time: number } | undefined) =>
    known === undefined || known.time > lastChange || time - known.time >= dayMs;
  return (
    session?.from === previous?.from &&
    (session === undefined || session.since > lastChange) &&
    lastKnownNames.every((name) => isLater(lastKnown[name]))
  );
}

/** What was written without a message, such as the status of an import, is not in the history. */
async function lastKnownAt(replay: Replay, start: number): Promise<LastKnown> {
  const past = await lastKnownBefore(replay, start);
  const later = <Known extends { time: number }>(inHistory?: Known, known?: Known) =>
    known && known.time < start && (!inHistory || known.time > inHistory.time) ? known : inHistory;
  return {
    level: later(past.level, replay.lastKnown.level),
    meter: later(past.meter, replay.lastKnown.meter),
    odometer: later(past.odometer, replay.lastKnown.odometer),
    location: later(past.location, replay.lastKnown.location),
  };
}

const lastKnownNames = [
  'level',
  'meter',
  'odometer',
  'location',
] as const satisfies readonly (keyof LastKnown)[];
