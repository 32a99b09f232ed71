import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ChargingSample, LastKnown } from './detection/session.ts';
import { type DetectorState, type EndedSession, step } from './detection/session-detector.ts';
import { replaySessions } from './replay-sessions.ts';
import { type DetectedSession, detectedOf, writeDetected } from './session-store.ts';
import type { Battery, ChargingState } from './state-store.ts';

/** What new messages report of the charging of one vehicle. */
export type ChargingChange = {
  vehicleId: string;
  /** In the order of time, one per moment, as they now are in the history. */
  samples: readonly ChargingSample[];
  /** Whether one of them is not newer than the newest that was known before. */
  late: boolean;
  state: ChargingState | null;
  /** What was last known before. */
  lastKnown: LastKnown;
  battery: Battery;
};

export type DetectionContext = {
  tx: Queryable;
  clock: Clock;
  /** A pause or a silence that is shorter does not end a session. */
  gapMs: number;
};

/**
 * Detects the sessions of vehicles whose statuses are locked; returns the state that each is left in. Samples in
 * order continue from the state, late ones replay the history: so the order of messages makes no difference.
 */
export async function updateSessions(
  context: DetectionContext,
  providerId: string,
  changes: readonly ChargingChange[],
): Promise<Map<string, ChargingState | null>> {
  const states = new Map<string, ChargingState | null>();
  const detected: DetectedSession[] = [];
  for (const change of changes) {
    if (change.late) {
      states.set(change.vehicleId, await replay(context, providerId, change));
      continue;
    }
    const continued = continueSession(change, context.gapMs);
    states.set(change.vehicleId, continued.state);
    detected.push(...continued.detected);
  }
  await writeDetected(context, providerId, detected);
  return states;
}

/** Continues from the state; returns the sessions that changed. */
function continueSession(
  { vehicleId, samples, state, lastKnown, battery }: ChargingChange,
  gapMs: number,
): { state: ChargingState | null; detected: DetectedSession[] } {
  const { capacityKwh } = battery;
  const ended: EndedSession[] = [];
  let current: DetectorState = {
    session: state ?? undefined,
    lastKnown,
  };
  for (const sample of samples) {
    const next = step(current, sample, gapMs);
    if (next.ended) ended.push(next.ended);
    current = next.state;
  }
  const { session } = current;
  // Samples during a pause do not change the summary of the session.
  const isSamePause = session?.pause && session.pause.time === state?.pause?.time;
  return {
    state: session ?? null,
    detected: detectedOf({ vehicleId, capacityKwh }, ended, isSamePause ? undefined : session),
  };
}

async function replay(
  context: DetectionContext,
  providerId: string,
  { vehicleId, samples, state, lastKnown, battery }: ChargingChange,
): Promise<ChargingState | null> {
  const last = await replaySessions(
    {
      ...context,
      providerId,
      vehicleId,
      ...battery,
      openFrom: state?.from,
      lastKnown,
    },
    samples.map(({ time }) => time),
  );
  return last ? (last.session ?? null) : state;
}
