import { carriedTo, type HistoryOf, samplesFrom } from './charging-samples.ts';
import {
  type Carried,
  dayMs,
  type Ended,
  type Memory,
  type Session,
  step,
} from './detection/detect-sessions.ts';
import {
  type Former,
  formerBefore,
  formersBetween,
  replaceSessions,
  type SessionsOf,
} from './previous-sessions.ts';
import { foundOf } from './session-store.ts';

/** The vehicle that sent late messages, and what was known of it before them. */
export type Replay = HistoryOf &
  SessionsOf & {
    carried: Carried;
    capacityKwh?: number;
    gapMs: number;
  };

/** What was found in a stretch of the history. */
type Stretch = {
  ended: Ended[];
  /** What the newest message left, unless all was as before earlier than that. */
  left?: { session: Session | undefined };
  /** The sessions that were found there before. */
  formers: Former[];
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
    const former = await formerBefore(replay, first);
    const isWithin = former !== undefined && former.overAt >= first;
    if (isWithin && !former.isInHistory) {
      // How it began is not known any more: it stays as it is.
      rest = rest.filter((time) => time > former.overAt);
      continue;
    }
    const stretch = await replayFrom(replay, isWithin ? former.from : first, rest);
    ({ left, rest } = stretch);
    const found = foundOf(replay, stretch.ended, left?.session);
    await replaceSessions(replay, stretch.formers, found);
  }
  return left;
}

async function replayFrom(
  replay: Replay,
  start: number,
  changed: readonly number[],
): Promise<Stretch> {
  const ended: Ended[] = [];
  const formers: Former[] = [];
  let memory: Memory = { carried: await carriedAt(replay, start) };
  let former: Former | undefined;
  let passed = 0;
  let lastChange: number | undefined;
  for await (const samples of samplesFrom(replay, start)) {
    const last = samples.at(-1)?.time ?? start;
    const begun = await formersBetween(replay, samples[0]?.time ?? start, last);
    for (const sample of samples) {
      const { time } = sample;
      const stepped = step(memory, sample, replay.gapMs);
      memory = stepped.memory;
      if (stepped.ended) ended.push(stepped.ended);
      if (former && former.overAt <= time) former = undefined;
      former = begun.get(time) ?? former;
      if (former?.from === time) formers.push(former);
      while ((changed[passed] ?? Number.POSITIVE_INFINITY) <= time) {
        passed += 1;
        lastChange = time;
      }
      if (lastChange !== undefined && isAsBefore(memory, time, lastChange, former)) {
        // The one that was there at this moment goes on as it did.
        const replaced = formers.filter((one) => one !== former);
        return { ended, formers: replaced, rest: changed.slice(passed) };
      }
    }
  }
  return { ended, left: { session: memory.session }, formers, rest: [] };
}

/**
 * Whether nothing that is remembered rests on the last change or on anything before it. Then the
 * memory is the one that the former session was found with.
 */
function isAsBefore(
  { session, carried }: Memory,
  now: number,
  lastChange: number,
  former: Former | undefined,
): boolean {
  const isLater = (known: { time: number } | undefined) =>
    known === undefined || known.time > lastChange || now - known.time >= dayMs;
  return (
    session?.from === former?.from &&
    (session === undefined || session.since > lastChange) &&
    isLater(carried.level) &&
    isLater(carried.location) &&
    isLater(carried.plug)
  );
}

/** What came without a message, such as the status of an import, is in no history. */
async function carriedAt(replay: Replay, start: number): Promise<Carried> {
  const { level, location, plug } = await carriedTo(replay, start);
  const later = <Known extends { time: number }>(past?: Known, known?: Known) =>
    known && known.time < start && (!past || known.time > past.time) ? known : past;
  return {
    level: later(level, replay.carried.level),
    location: later(location, replay.carried.location),
    plug: later(plug, replay.carried.plug),
  };
}
