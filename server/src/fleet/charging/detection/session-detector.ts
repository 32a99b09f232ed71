/** The signals of charging at one moment. */
export type ChargingSample = {
  /** In milliseconds. */
  time: number;
  isPluggedIn?: boolean;
  isCharging?: boolean;
  /** The state of charge in percent, never the level of a tank. */
  level?: number;
  /** The total energy charged, as the vehicle counts it, in kWh. */
  energyMeter?: number;
  location?: { lat: number; lng: number };
};

type Level = { value: number; time: number };
type Position = { lat: number; lng: number; time: number };
type Plug = { isIn: boolean; time: number };

/** A session that the next sample may continue. */
export type Session = {
  from: number;
  /** The earliest time that its beginning depends on: the start, or that of an earlier value. */
  since: number;
  fromLevel?: number;
  location?: Position;
  /** Whether the plug was reported in while it charged. */
  pluggedIn: boolean;
  lastSignal: number;
  /** The last level that was measured in it. */
  level?: number;
  /** The last reading of the energy meter in it. */
  meter?: number;
  /** The sum of the meter's increases, from the second reading on. */
  meteredKwh?: number;
  /** While it does not charge: what the session is, unless it continues. */
  pause?: Pause;
};

type Pause = Pick<Session, 'fromLevel' | 'level' | 'meteredKwh'> & { time: number };

/** What was last known, in or out of a session. */
export type LastKnown = { level?: Level; location?: Position; plug?: Plug };

export type DetectorState = { session?: Session; lastKnown: LastKnown };

/** A session that cannot continue, and the time of the sample that showed it. */
export type EndedSession = { session: Session & { pause: Pause }; overAt: number };

/** The longest silence and the longest pause of one session, and the greatest age of the values it begins with. */
export const dayMs = 86_400_000;

// A level that falls by more shows that the vehicle was driven; by less, it may be noise.
const toleratedFall = 1;

/** The state after one more sample, and the session that it ended. */
export function step(
  { session, lastKnown }: DetectorState,
  sample: ChargingSample,
  gapMs: number,
): { state: DetectorState; ended?: EndedSession } {
  let ended: EndedSession | undefined;
  let current = session;
  if (current && isChargingSignal(sample) && isOver(current, sample, gapMs)) {
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

/** A position alone is none. */
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

function isOver(session: Session, { time, level, energyMeter }: ChargingSample, gapMs: number) {
  const { lastSignal, pause, pluggedIn, meter, fromLevel } = session;
  if (isMore(session.level, level, toleratedFall)) return true;
  const silence = time - lastSignal;
  if (silence >= dayMs) return true;
  // Only charging raises them: then it continued without messages.
  const rose = isMore(level, session.level ?? fromLevel) || isMore(energyMeter, meter);
  // A plugged-in vehicle may wait for solar power without messages.
  const waits = pause !== undefined && pluggedIn;
  if (silence >= gapMs && !rose && !waits) return true;
  return pause !== undefined && time - pause.time >= (pluggedIn ? dayMs : gapMs);
}

function isMore(one: number | undefined, other: number | undefined, by = 0): boolean {
  return one !== undefined && other !== undefined && one - other > by;
}

function startSession(sample: ChargingSample, lastKnown: LastKnown): Session {
  const { time, level, energyMeter } = sample;
  const before = level === undefined ? recent(lastKnown.level, time) : undefined;
  const location = positionOf(sample) ?? recent(lastKnown.location, time);
  const plug = plugOf(sample) ?? recent(lastKnown.plug, time);
  return {
    from: time,
    since: Math.min(...[sample, before, location, plug].map((known) => known?.time ?? time)),
    fromLevel: level ?? before?.value,
    location,
    pluggedIn: plug?.isIn === true,
    lastSignal: time,
    level,
    meter: energyMeter,
  };
}

function recent<Known extends { time: number }>(known: Known | undefined, time: number) {
  return known && time - known.time <= dayMs ? known : undefined;
}

function continueSession(session: Session, sample: ChargingSample): Session {
  const { time, isPluggedIn, level, energyMeter } = sample;
  // During a pause the vehicle may have moved already.
  const present = session.pause === undefined || charges(sample);
  const next: Session = {
    ...session,
    location: session.location ?? (present ? positionOf(sample) : undefined),
    pluggedIn: session.pluggedIn || (present && isPluggedIn === true),
    lastSignal: isChargingSignal(sample) ? time : session.lastSignal,
    fromLevel: fromLevelOf(session, level),
    level: level ?? session.level,
    meter: energyMeter ?? session.meter,
    meteredKwh: meteredOf(session, energyMeter),
  };
  if (charges(sample)) next.pause = undefined;
  else if (stops(sample)) next.pause ??= pauseOf(next, time);
  return next;
}

/** A level from before the session may be outdated: the first one measured in it can be lower. */
function fromLevelOf({ fromLevel, level: known }: Session, level: number | undefined) {
  if (level === undefined || known !== undefined) return fromLevel;
  return Math.min(level, fromLevel ?? level);
}

/** A meter that falls was reset, or is noisy: that adds nothing. */
function meteredOf({ meter, meteredKwh }: Session, reading: number | undefined) {
  if (reading === undefined || meter === undefined) return meteredKwh;
  return Math.min((meteredKwh ?? 0) + Math.max(0, reading - meter), Number.MAX_VALUE);
}

function pauseOf({ fromLevel, level, meteredKwh }: Session, time: number): Pause {
  return { time, fromLevel, level, meteredKwh };
}

function positionOf({ location, time }: ChargingSample): Position | undefined {
  return location && { lat: location.lat, lng: location.lng, time };
}

function plugOf({ isPluggedIn, time }: ChargingSample): Plug | undefined {
  return isPluggedIn === undefined ? undefined : { isIn: isPluggedIn, time };
}

function updateLastKnown(lastKnown: LastKnown, sample: ChargingSample): LastKnown {
  const { time, level } = sample;
  return {
    level: level === undefined ? lastKnown.level : { value: level, time },
    location: positionOf(sample) ?? lastKnown.location,
    plug: plugOf(sample) ?? lastKnown.plug,
  };
}
