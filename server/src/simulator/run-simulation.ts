import { setTimeout as sleep } from 'node:timers/promises';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import type { Clock } from './clock.ts';
import type { Counts, FleetClient } from './fleet-client.ts';
import type { Message } from './message.ts';
import { type SimulatedVehicle, simulateVehicle } from './simulated-vehicle.ts';

/** How it stands. */
export type Progress = {
  time: number;
  doing: { driving: number; charging: number; parked: number };
  messages: number;
  counts: Counts;
};

/** How it was. */
export type Summary = Progress & {
  vehicles: number;
  drivenKm: number;
  chargedKwh: number;
  sessionsBegun: number;
  sessionsEnded: number;
};

type Options = {
  clock: Clock;
  /** The same gives the same lives. */
  seed: string;
  /** Ends it. */
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
};

export type Simulation = {
  fleet: readonly SimulatedVehicle[];
  /** Runs to the end of the clock, or until it is told to stop. */
  run(): Promise<void>;
  summary(): Summary;
};

const tickMs = 1_000;
// So that batches stay small however fast the time runs.
const stepMs = 10 * 60_000;
const messagesAtOnce = 1_000;

/** Vehicles that live on from their statuses, and send what happens. */
export function createSimulation(
  client: Pick<FleetClient, 'send'>,
  vehicles: readonly Vehicle[],
  { clock, seed, signal, onProgress }: Options,
): Simulation {
  const fleet = vehicles.map((vehicle) =>
    simulateVehicle(vehicle, startOf(vehicle, clock.start), seed),
  );
  const counts: Counts = { accepted: 0, stale: 0, duplicate: 0, rejected: 0 };
  let messages = 0;
  let time = clock.start;

  const send = async (batch: readonly Message[]) => {
    for (let start = 0; start < batch.length; start += messagesAtOnce) {
      const some = batch.slice(start, start + messagesAtOnce);
      const taken = await client.send(some);
      messages += some.length;
      for (const kind of Object.keys(counts) as (keyof Counts)[]) counts[kind] += taken[kind];
    }
  };
  const progress = (): Progress => {
    const doing = { driving: 0, charging: 0, parked: 0 };
    for (const vehicle of fleet) doing[vehicle.doing()] += 1;
    return { time, doing, messages, counts: { ...counts } };
  };

  return {
    fleet,
    async run() {
      const { end = Number.POSITIVE_INFINITY } = clock;
      while (time < end && !signal.aborted) {
        const due = Math.min(clock.at(Date.now()), end);
        if (due - time < tickMs) {
          await sleep(tickMs, undefined, { signal }).catch(() => {});
          continue;
        }
        const until = Math.min(due, time + stepMs);
        await send(fleet.flatMap((vehicle) => vehicle.messagesUntil(until)));
        time = until;
        onProgress?.(progress());
      }
      if (!signal.aborted) await send(fleet.flatMap((vehicle) => vehicle.farewell()));
    },
    summary() {
      const sessions = fleet.flatMap((vehicle) => vehicle.sessions);
      return {
        ...progress(),
        vehicles: fleet.length,
        drivenKm: sum(fleet.map((vehicle) => vehicle.drivenKm())),
        chargedKwh: sum(fleet.map((vehicle) => vehicle.chargedKwh())),
        sessionsBegun: sessions.filter(({ takenOver }) => !takenOver).length,
        sessionsEnded: sessions.filter(({ to }) => to !== undefined).length,
      };
    },
  };
}

/** Nothing runs backwards: after what the vehicle has told last. */
function startOf({ status }: Vehicle, start: number): number {
  const last = status.lastUpdated === undefined ? 0 : Date.parse(status.lastUpdated);
  return Math.max(start, last + 1_000);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
