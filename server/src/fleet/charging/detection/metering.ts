/** What the energy meter counted in a session, from its first reading to its last. */
export type Metering = {
  /** The time of the first reading, which may be from before the session. */
  from: number;
  /** The level then, if it was measured in the session. */
  fromLevel?: number;
  to: number;
  toLevel?: number;
  /** The reading that it counts from: the first one, or the first one after the last reset. */
  base: number;
  last: number;
  /** What it had counted at the last reset, in kWh. */
  beforeReset: number;
};

type Reading = { time: number; value: number; level: number | undefined };

// By less, a meter may fall because it jitters or is rounded.
const resetKwh = 1;

export function startMetering({ time, value, level }: Reading): Metering {
  return {
    from: time,
    fromLevel: level,
    to: time,
    toLevel: level,
    base: value,
    last: value,
    beforeReset: 0,
  };
}

/** With one more reading of a session that began at a time. */
export function continueMetering(
  metering: Metering | undefined,
  reading: Reading,
  sessionFrom: number,
): Metering {
  if (!metering) return startMetering(reading);
  const { time, value, level } = reading;
  const next = { ...metering, to: time, toLevel: level, last: value };
  if (metering.last - value <= resetKwh) return next;
  // A reading from before the session says nothing of it when the meter was reset since.
  if (metering.to < sessionFrom) return startMetering(reading);
  return { ...next, base: value, beforeReset: meteredKwh(metering) };
}

/** The last reading minus the first, so that jitter does not add up. */
export function meteredKwh({ base, last, beforeReset }: Metering): number {
  return Math.min(beforeReset + Math.max(0, last - base), Number.MAX_VALUE);
}
