import { continueMetering, startMetering } from './metering.ts';
import { hasMoved } from './movement.ts';
import type { ChargingSample, LastKnown, Pause, Position, Reading, Session } from './session.ts';

export type DetectorState = { session?: Session; lastKnown: LastKnown };

/** A session that cannot continue, and the time of the sample that showed it. */
export type EndedSession = { session: Session & { pause: Pause }; overAt: number };

/** The longest silence of one session, and the greatest age of the values it begins with. */
export const dayMs = 86_400_000;

// A weak source takes up to this long to raise the level by a point.
const pointMs = 3_600_000;

// By less, a level may fall because the battery management corrects it; by more, the vehicle was driven.
const toleratedFall = 3;

/** The state after one more sample, and the session that it ended. */
export function step(
  { session, lastKnown }: DetectorState,
  sample: ChargingSample,
  gapMs: number,
): { state: DetectorState; ended?: EndedSession } {
  let ended: EndedSession | undefined;
  let current = session;
  if (current && isOver(current, sample, gapMs)) {
    ended = { session: endAtLastSignal(current), overAt: sample.time };
    current = undefined;
  }
  if (current) current = continueSession(current, sample);
  else if (charges(sample)) current = startSession(sample, lastKnown);
  if (current?.pause && sample.isPluggedIn === false) {
    ended = { session: { ...current, pause: current.pause }, overAt: sample.time };
    current = undefined;
  }
  return { state: { session: current, lastKnown: updateLastKnown(lastKnown, sample) }, ended };
}

/** Ends a session after which no message came: at its pause, or at its last signal. */
export function endAtLastSignal(session: Session): Session & { pause: Pause } {
  const { pause, location, lastSignal } = session;
  if (pause) return { ...session, pause };
  return {
    ...session,
    location: location && location.time <= lastSignal ? location : undefined,
    pause: pauseOf(session, lastSignal),
  };
}

/** A position or an odometer alone is none. */
function isChargingSignal({
  isPluggedIn,
  isCharging,
  level,
  energyMeter,
}: ChargingSample): boolean {
  return [isPluggedIn, isCharging, level, energyMeter].some((signal) => signal !== undefined);
}

function charges({ isCharging, isPluggedIn }: ChargingSample): boolean {
  return isCharging === true && isPluggedIn !== false;
}

function stops({ isCharging, isPluggedIn }: ChargingSample): boolean {
  return isCharging === false || isPluggedIn === false;
}

function isOver(session: Session, sample: ChargingSample, gapMs: number): boolean {
  if (hasMoved(session, sample, gapMs)) return true;
  if (!isChargingSignal(sample)) return false;
  const { lastSignal, pause, metering, fromLevel } = session;
  const { time, level, energyMeter } = sample;
  const silence = time - lastSignal;
  const hasFallen = isMore(session.level, level, toleratedFall);
  if (pause) return time - pause.time >= gapMs || hasFallen;
  if (silence < gapMs) return false;
  if (silence >= dayMs) return true;
  // Only charging raises them: then it continued without messages.
  if (isMore(level, session.level ?? fromLevel) || isMore(energyMeter, metering?.last))
    return false;
  if (silence < pointMs) return hasFallen;
  // Of a vehicle that reports neither of them, only the messages themselves tell.
  const isMeasured = session.level !== undefined || (metering && metering.to >= session.from);
  return isMeasured || level !== undefined || energyMeter !== undefined;
}

function isMore(one: number | undefined, other: number | undefined, by = 0): boolean {
  return one !== undefined && other !== undefined && one - other > by;
}

function startSession(sample: ChargingSample, lastKnown: LastKnown): Session {
  const { time, level } = sample;
  const before = level === undefined ? recent(lastKnown.level, time) : undefined;
  const location = positionOf(sample) ?? recent(lastKnown.location, time);
  const odometer = readingOf(sample.odometer, time) ?? recent(lastKnown.odometer, time);
  const meter = readingOf(sample.energyMeter, time) ?? recent(lastKnown.meter, time);
  return {
    from: time,
    since: Math.min(...[sample, before, location, odometer, meter].map((it) => it?.time ?? time)),
    fromLevel: level ?? before?.value,
    location,
    odometer,
    lastSignal: time,
    level,
    metering: meter && startMetering({ ...meter, level: meter.time === time ? level : undefined }),
  };
}

function recent<Known extends { time: number }>(known: Known | undefined, time: number) {
  return known && time - known.time <= dayMs ? known : undefined;
}

function continueSession(session: Session, sample: ChargingSample): Session {
  const { time, energyMeter } = sample;
  // During a pause the vehicle may have moved already.
  const isPresent = session.pause === undefined || charges(sample);
  const level = sample.level ?? session.level;
  const next: Session = {
    ...session,
    ...(isPresent && placeOf(session, sample)),
    lastSignal: isChargingSignal(sample) ? time : session.lastSignal,
    fromLevel: fromLevelOf(session, sample.level),
    level,
    metering:
      energyMeter === undefined
        ? session.metering
        : continueMetering(session.metering, { time, value: energyMeter, level }, session.from),
  };
  if (charges(sample)) next.pause = undefined;
  else if (stops(sample)) next.pause ??= pauseOf(next, time);
  return next;
}

/** The first position and odometer that are measured in a session count for more than those from before it. */
function placeOf(
  { from, location, odometer }: Session,
  sample: ChargingSample,
): Pick<Session, 'location' | 'odometer'> {
  const isOutdated = (known: { time: number } | undefined) =>
    !known || (known.time < from && isChargingSignal(sample));
  return {
    location: (isOutdated(location) && positionOf(sample)) || location,
    odometer: (isOutdated(odometer) && readingOf(sample.odometer, sample.time)) || odometer,
  };
}

/** A level from before the session may be outdated: the first one measured in it can be lower. */
function fromLevelOf({ fromLevel, level: known }: Session, level: number | undefined) {
  if (level === undefined || known !== undefined) return fromLevel;
  return Math.min(level, fromLevel ?? level);
}

function pauseOf({ fromLevel, level, metering }: Session, time: number): Pause {
  return { time, fromLevel, level, metering };
}

function positionOf({ location, time }: ChargingSample): Position | undefined {
  return location && { lat: location.lat, lng: location.lng, time };
}

function readingOf(value: number | undefined, time: number): Reading | undefined {
  return value === undefined ? undefined : { value, time };
}

function updateLastKnown(lastKnown: LastKnown, sample: ChargingSample): LastKnown {
  const { time } = sample;
  return {
    level: readingOf(sample.level, time) ?? lastKnown.level,
    location: positionOf(sample) ?? lastKnown.location,
    odometer: readingOf(sample.odometer, time) ?? lastKnown.odometer,
    meter: readingOf(sample.energyMeter, time) ?? lastKnown.meter,
  };
}
