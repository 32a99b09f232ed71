import { tooExpensive } from '../../platform/http/problem.ts';
import type { Period } from '../events.ts';
import { type HistoryOf, lastKnownBefore, samplesFrom } from './charging-samples.ts';
import type { LastKnown, Session } from './detection/session.ts';
import { type DetectorState, dayMs, step } from './detection/session-detector.ts';
import {
  type PreviousSession,
  previousBefore,
  previousBetween,
  RemovedSessions,
  replaceSessions,
  type SessionsOf,
} from './previous-sessions.ts';
import { type DetectedSession, detectedOf } from './session-store.ts';

/** The vehicle that sent late messages, and what was known of it before them. */
export type Replay = HistoryOf &
  SessionsOf & {
    lastKnown: LastKnown;
    capacityKwh?: number;
    gapMs: number;
    /** How many samples may still be read; any number when left out. */
    budget?: SampleBudget;
  };

export type SampleBudget = { left: number };

/** A part of the history whose sessions have been replaced. */
type ReplayedPart = {
  /** The session after the newest message, if the replay got that far. */
  last?: { session: Session | undefined };
  /** The changes after it. */
  rest: readonly Period[];
  /** What they are replayed from, at the earliest. */
  known?: KnownBefore;
};

/** What was known before a time: the history need not be searched for it again. */
type KnownBefore = { time: number; lastKnown: LastKnown };

/** As many are replaced together, so that others are served meanwhile. */
const replacedAtOnce = 1_000;

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
  let known: KnownBefore | undefined;
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
    const start = isWithin ? previous.from : first;
    ({ last, rest, known } = await replayFrom(replay, start, rest, known));
  }
  return last;
}

async function replayFrom(
  replay: Replay,
  start: number,
  changed: readonly Period[],
  known: KnownBefore | undefined,
): Promise<ReplayedPart> {
  const removed = new RemovedSessions();
  let detected: DetectedSession[] = [];
  /** Whether the open session began when one did before. */
  let isKept = false;
  const add = (sessions: readonly DetectedSession[]) => {
    for (const session of sessions)
      detected.push(isKept ? session : { ...session, id: removed.takeOver(session) });
  };
  const replace = async (following?: { time: number; openFrom?: number }) => {
    await replaceSessions(replay, removed.takeDeleted(following), detected);
    detected = [];
  };
  let state: DetectorState = { lastKnown: await lastKnownAt(replay, start, known) };
  /** Before the open session. */
  let knownBefore: KnownBefore | undefined;
  let previous: PreviousSession | undefined;
  let passed = 0;
  const nextChange = () => changed[passed]?.first ?? Number.POSITIVE_INFINITY;
  let lastChange: number | undefined;
  /** Whether all is as it was before, up to the next change. */
  let isSettled = false;
  for await (const samples of samplesFrom(replay, start)) {
    spend(replay.budget, samples.length);
    const end = samples.at(-1)?.time ?? start;
    const begun = await previousBetween(replay, samples[0]?.time ?? start, end);
    for (const sample of samples) {
      const { time } = sample;
      const next = step(state, sample, replay.gapMs);
      const begins = next.state.session?.from === time;
      if (begins) knownBefore = { time, lastKnown: state.lastKnown };
      state = next.state;
      const begunBefore = begun.get(time);
      const isSame = isSettled && nextChange() > time;
      if (begunBefore && !begins && !isSame) removed.add(begunBefore);
      if (next.ended && !isSame) add(detectedOf(replay, [next.ended]));
      if (begins) isKept = begunBefore !== undefined;
      if (detected.length + removed.size >= replacedAtOnce)
        await replace({ time, openFrom: state.session?.from });
      if (previous && previous.overAt <= time) previous = undefined;
      previous = begunBefore ?? previous;
      while ((changed[passed]?.last ?? Number.POSITIVE_INFINITY) <= time) {
        passed += 1;
        lastChange = time;
      }
      isSettled = nextChange() > time && isAsBefore(state, time, lastChange, previous);
      // Up to a change that has been read already, it is passed over.
      if (!isSettled || nextChange() <= end) continue;
      // The session of this moment continues as it did.
      await replace();
      const { session, lastKnown } = state;
      return {
        rest: changed.slice(passed),
        known: session ? knownBefore : { time: time + 1, lastKnown },
      };
    }
  }
  add(detectedOf(replay, [], state.session));
  await replace();
  return { last: { session: state.session }, rest: [] };
}

/** Whether nothing in the state depends on the last change or on anything before it. */
function isAsBefore(
  { session, lastKnown }: DetectorState,
  time: number,
  lastChange: number | undefined,
  previous: PreviousSession | undefined,
): boolean {
  if (lastChange === undefined) return false;
  const isLater = (known: { time: number } | undefined) =>
    known === undefined || known.time > lastChange || time - known.time >= dayMs;
  return (
    session?.from === previous?.from &&
    (session === undefined || session.since > lastChange) &&
    lastKnownNames.every((name) => isLater(lastKnown[name]))
  );
}

function spend(budget: SampleBudget | undefined, samples: number): void {
  if (!budget) return;
  budget.left -= samples;
  if (budget.left < 0)
    throw tooExpensive(
      'The late messages concern too much of the history: send those of a shorter period at a time.',
    );
}

/** What was written without a message, such as the status of an import, is not in the history. */
async function lastKnownAt(
  replay: Replay,
  start: number,
  known: KnownBefore | undefined,
): Promise<LastKnown> {
  const passed = known && known.time <= start ? known : undefined;
  const past = await lastKnownBefore(replay, start, passed?.time);
  const later = <Known extends { time: number }>(inHistory?: Known, known?: Known) =>
    known && known.time < start && (!inHistory || known.time > inHistory.time) ? known : inHistory;
  const before = passed?.lastKnown ?? {};
  return {
    level: later(later(past.level, before.level), replay.lastKnown.level),
    meter: later(later(past.meter, before.meter), replay.lastKnown.meter),
    odometer: later(later(past.odometer, before.odometer), replay.lastKnown.odometer),
    location: later(later(past.location, before.location), replay.lastKnown.location),
  };
}

const lastKnownNames = [
  'level',
  'meter',
  'odometer',
  'location',
] as const satisfies readonly (keyof LastKnown)[];
