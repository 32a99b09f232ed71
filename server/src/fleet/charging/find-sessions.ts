import type { Queryable } from '../../platform/db/database.ts';
import {
  type ChargingSample,
  type Ended,
  type LastKnown,
  type Memory,
  step,
} from './detection/session-detector.ts';
import { replaySessions } from './replay-sessions.ts';
import { type FoundSession, foundOf, writeFound } from './session-store.ts';
import type { Battery, ChargingState } from './state-store.ts';

/** What new messages say of the charging of one vehicle. */
export type ChargingChange = {
  vehicleId: string;
  /** In the order of time, one a moment, as they now stand in the history. */
  samples: readonly ChargingSample[];
  /** Whether one of them is not newer than the newest that was known before. */
  late: boolean;
  state: ChargingState | null;
  /** What was last known before. */
  lastKnown: LastKnown;
  battery: Battery;
};

/**
 * Finds the charging sessions of vehicles whose statuses the transaction holds, and answers the
 * state that each is left in. The same messages give the same sessions, in whatever order and
 * batches they come: what is in time goes on from the state, what is late is found again from the
 * history.
 */
export async function findSessions(
  tx: Queryable,
  providerId: string,
  changes: readonly ChargingChange[],
  gapMs: number,
): Promise<Map<string, ChargingState | null>> {
  const states = new Map<string, ChargingState | null>();
  const found: FoundSession[] = [];
  for (const change of changes) {
    if (change.late) {
      states.set(change.vehicleId, await replay(tx, providerId, change, gapMs));
      continue;
    }
    const followed = follow(change, gapMs);
    states.set(change.vehicleId, followed.state);
    found.push(...followed.found);
  }
  await writeFound(tx, providerId, found);
  return states;
}

/** Goes on from the state; answers the sessions that are told in another way than before. */
function follow(
  { vehicleId, samples, state, lastKnown, battery }: ChargingChange,
  gapMs: number,
): { state: ChargingState | null; found: FoundSession[] } {
  const { capacityKwh, levelIsCharge } = battery;
  const ended: Ended[] = [];
  let memory: Memory = {
    session: state ?? undefined,
    lastKnown: levelIsCharge ? lastKnown : noLevel(lastKnown),
  };
  for (const sample of samples) {
    const stepped = step(memory, levelIsCharge ? sample : noLevel(sample), gapMs);
    if (stepped.ended) ended.push(stepped.ended);
    memory = stepped.memory;
  }
  const { session } = memory;
  // What comes during a pause changes nothing of what is told.
  const isSamePause = session?.pause && session.pause.time === state?.pause?.time;
  return {
    state: session ?? null,
    found: foundOf({ vehicleId, capacityKwh }, ended, isSamePause ? undefined : session),
  };
}

async function replay(
  tx: Queryable,
  providerId: string,
  { vehicleId, samples, state, lastKnown, battery }: ChargingChange,
  gapMs: number,
): Promise<ChargingState | null> {
  const left = await replaySessions(
    {
      tx,
      providerId,
      vehicleId,
      ...battery,
      gapMs,
      liveFrom: state?.from,
      lastKnown: battery.levelIsCharge ? lastKnown : noLevel(lastKnown),
    },
    samples.map(({ time }) => time),
  );
  return left ? (left.session ?? null) : state;
}

function noLevel<Values extends object>(values: Values): Values {
  return { ...values, level: undefined };
}
