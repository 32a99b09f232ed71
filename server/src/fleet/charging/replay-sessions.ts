import { type HistoryOf, lastKnownBefore, samplesFrom } from './charging-samples.ts';
import {
  dayMs,
  type Ended,
  type LastKnown,
  type Memory,
  type Session,
  step,
} from './detection/session-detector.ts';
import {
  type PreviousSession,
  previousBefore,
  previousBetween,
  replaceSessions,
  type SessionsOf,
} from './previous-sessions.ts';
import { foundOf } from './session-store.ts';

/** The vehicle that sent late messages, and what was known of it before them. */
export type Replay = HistoryOf &
  SessionsOf & {
    lastKnown: LastKnown;
    capacityKwh?: number;
    gapMs: number;
  };

/** What was found in a stretch of the history. */
type Stretch = {
  ended: Ended[];
  /** What the newest message left, unless all was as before earlier than that. */
  left?: { session: Session | undefined };
  /** The sessions that were found there before. */
  previousSessions: PreviousSession[];
  /** The changes that lie behind it. */
  rest: readonly number[];
};

/**
 * Finds the sessions around changed moments of the history again: each time from where the first of
 * them may matter to where all is as it was before. Answers what the newest message left, unless
 * that did not change.
 */
export async function replaySessions(
  replay: Replay,
  changed: readonly number[],
): Promise<Stretch['left']> {
  let left: Stretch['left'];
  let rest = changed;
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const previous = await previousBefore(replay, first);
    const isWithin = previous !== undefined && previous.overAt >= first;
    if (isWithin && !previous.isInHistory) {
      // How it began is not known any more: it stays as it is.
      rest = rest.filter((time) => time > previous.overAt);
      continue;
    }
    const stretch = await replayFrom(replay, isWithin ? previous.from : first, rest);
    ({ left, rest } = stretch);
    const found = foundOf(replay, stretch.ended, left?.session);
    await replaceSessions(replay, stretch.previousSessions, found);
  }
  return left;
}

async function replayFrom(
  replay: Replay,
  start: number,
  changed: readonly number[],
): Promise<Stretch> {
  const ended: Ended[] = [];
  const previousSessions: PreviousSession[] = [];
  let memory: Memory = { lastKnown: await lastKnownAt(replay, start) };
  let previous: PreviousSession | undefined;
  let passed = 0;
  let lastChange: number | undefined;
  for await (const samples of samplesFrom(replay, start)) {
    const last = samples.at(-1)?.time ?? start;
    const begun = await previousBetween(replay, samples[0]?.time ?? start, last);
    for (const sample of samples) {
      const { time } = sample;
      const stepped = step(memory, sample, replay.gapMs);
      memory = stepped.memory;
      if (stepped.ended) ended.push(stepped.ended);
      if (previous && previous.overAt <= time) previous = undefined;
      previous = begun.get(time) ?? previous;
      if (previous?.from === time) previousSessions.push(previous);
      while ((changed[passed] ?? Number.POSITIVE_INFINITY) <= time) {
        passed += 1;
        lastChange = time;
      }
      if (lastChange !== undefined && isAsBefore(memory, time, lastChange, previous)) {
        // The one that was there at this moment goes on as it did.
        const replaced = previousSessions.filter((one) => one !== previous);
        return { ended, previousSessions: replaced, rest: changed.slice(passed) };
      }
    }
  }
  return { ended, left: { session: memory.session }, previousSessions, rest: [] };
}

/**
 * Whether nothing that is remembered rests on the last change or on anything before it. Then the
 * memory is the one that the previous session was found with.
 */
function isAsBefore(
  { session, lastKnown }: Memory,
  now: number,
  lastChange: number,
  previous: PreviousSession | undefined,
): boolean {
  const isLater = (known: { time: number } | undefined) =>
    known === undefined || known.time > lastChange || now - known.time >= dayMs;
  return (
    session?.from === previous?.from &&
    (session === undefined || session.since > lastChange) &&
    isLater(lastKnown.level) &&
    isLater(lastKnown.location) &&
    isLater(lastKnown.plug)
  );
}

/** What came without a message, such as the status of an import, is in no history. */
async function lastKnownAt(replay: Replay, start: number): Promise<LastKnown> {
  const { level, location, plug } = await lastKnownBefore(replay, start);
  const later = <Known extends { time: number }>(past?: Known, known?: Known) =>
    known && known.time < start && (!past || known.time > past.time) ? known : past;
  return {
    level: later(level, replay.lastKnown.level),
    location: later(location, replay.lastKnown.location),
    plug: later(plug, replay.lastKnown.plug),
  };
}
