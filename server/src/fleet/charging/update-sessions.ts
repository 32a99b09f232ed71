import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Period } from '../events.ts';
import type { ChargingSample, LastKnown } from './detection/session.ts';
import { type DetectorState, type EndedSession, step } from './detection/session-detector.ts';
import { replaySessions, type SampleBudget } from './replay-sessions.ts';
import { type DetectedSession, detectedOf, writeDetected } from './session-store.ts';
import type { Battery, ChargingState } from './state-store.ts';

/** What new messages report of the charging of one vehicle. */
export type ChargingChange = {
  vehicleId: string;
  state: ChargingState | null;
  /** What was last known before. */
  lastKnown: LastKnown;
  battery: Battery;
} & (InOrder | Late);

/** In the order of time, one per moment, each newer than what was known before. */
type InOrder = { samples: readonly ChargingSample[] };

/** When something changed, in the order of time, of which a part is not newer. */
type Late = { changedPeriods: readonly Period[] };

export type DetectionContext = {
  tx: Queryable;
  clock: Clock;
  /** A pause or a silence that is shorter does not end a session. */
  gapMs: number;
};

/** Of a transaction, which must not take minutes: as many as a vehicle has in a day that tells of itself 20 times a second. */
const maxReplayedSamples = 2_000_000;
const budgets = new WeakMap<Queryable, SampleBudget>();

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
  const budget = budgets.get(context.tx) ?? { left: maxReplayedSamples };
  budgets.set(context.tx, budget);
  for (const change of changes) {
    if ('changedPeriods' in change) {
      states.set(change.vehicleId, await replay({ ...context, budget }, providerId, change));
      continue;
    }
    const continued = continueSession(change, context.gapMs);
    states.set(change.vehicleId, continued.state);
    for (const session of continued.detected) detected.push(session);
  }
  await writeDetected(context, providerId, detected);
  return states;
}

/** Continues from the state; returns the sessions that changed. */
function continueSession(
  { vehicleId, samples, state, lastKnown, battery }: ChargingChange & InOrder,
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
  context: DetectionContext & { budget: SampleBudget },
  providerId: string,
  { vehicleId, changedPeriods, state, lastKnown, battery }: ChargingChange & Late,
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
    changedPeriods,
  );
  return last ? (last.session ?? null) : state;
}
