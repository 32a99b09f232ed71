import fc from 'fast-check';
import type { ChargingSample } from '../fleet/charging/detection/session.ts';
import { type DetectorState, step } from '../fleet/charging/detection/session-detector.ts';
import { type SessionSummary, summaryOf } from '../fleet/charging/detection/session-summary.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const gapMs = 15 * minute;

/** The sessions in samples that are in chronological order. */
export function sessionsIn(
  samples: readonly ChargingSample[],
  capacityKwh?: number,
): SessionSummary[] {
  const sessions: SessionSummary[] = [];
  let state: DetectorState = { lastKnown: {} };
  for (const sample of samples) {
    const next = step(state, sample, gapMs);
    if (next.ended) sessions.push(summaryOf(next.ended.session, capacityKwh));
    state = next.state;
  }
  if (state.session) sessions.push(summaryOf(state.session, capacityKwh));
  return sessions;
}

const level = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 40, max: 46 }) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 100, noNaN: true }) },
);
const energyMeter = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1e6, noNaN: true }) },
);
// Mostly one place; others are near or far.
const location = fc.record({
  lat: fc.oneof(
    { weight: 3, arbitrary: fc.constant(52) },
    { weight: 1, arbitrary: fc.constantFrom(52.004, 52.1, 54) },
  ),
  lng: fc.constant(13),
});
// Driven since the sample before; a stream has the sums.
const odometer = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(0.4, 1.1, 5) },
);
const isCharging = fc.boolean();
const isPluggedIn = fc.boolean();

// Whole and partial messages, with about as much charging, pausing and driving.
const signals: fc.Arbitrary<Partial<ChargingSample>> = fc.oneof(
  fc.record(
    { isCharging, isPluggedIn, level, energyMeter, odometer, location },
    { requiredKeys: [] },
  ),
  fc.record({ isCharging: fc.constant(true) }),
  fc.record({ isCharging: fc.constant(true), isPluggedIn: fc.constant(true), level }),
  fc.record({ isCharging: fc.constant(false) }),
  fc.record({ isPluggedIn: fc.constant(false) }),
  fc.record({ level }),
  fc.record({ location }),
  fc.record({ odometer }),
  fc.record({ energyMeter }),
);

// Small and large gaps, and those around the limits of a gap and of a day.
const pause = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 14 }).map((minutes) => minutes * minute) },
  { weight: 2, arbitrary: fc.constantFrom(gapMs - 1, gapMs, gapMs + 1) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 23 }).map((hours) => hours * hour) },
  { weight: 1, arbitrary: fc.constantFrom(24 * hour - 1, 24 * hour, 24 * hour + 1, 60 * hour) },
);

/** Adversarial streams: partial, flickering, with gaps, falling levels and meter resets. */
export const streams: fc.Arbitrary<ChargingSample[]> = fc
  .array(fc.tuple(pause, signals), { minLength: 1, maxLength: 24 })
  .map((steps) => {
    let time = 0;
    let km = 100;
    return steps.map(([after, { odometer: drivenKm, ...sent }]) => {
      time += after;
      if (drivenKm === undefined) return { time, ...sent };
      // Not faster than a vehicle can be.
      km += Math.min(drivenKm, (after / hour) * 200);
      return { time, ...sent, odometer: km };
    });
  });

/** One sample per time, with the greater of two values of a signal, as messages are merged. */
export function mergedOf(stream: readonly ChargingSample[]): ChargingSample[] {
  const moments = new Map<number, ChargingSample>();
  for (const sent of stream) {
    const moment: Record<string, unknown> = { ...moments.get(sent.time) };
    for (const [name, value] of Object.entries(sent)) {
      if (moment[name] === undefined || isGreater(value, moment[name])) moment[name] = value;
    }
    moments.set(sent.time, moment as ChargingSample);
  }
  return [...moments.values()].toSorted((a, b) => a.time - b.time);
}

function isGreater(a: unknown, b: unknown): boolean {
  const key = (value: unknown) =>
    typeof value === 'object' ? (value as { lat: number }).lat : Number(value);
  return key(a) > key(b);
}
