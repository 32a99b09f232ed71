import { setTimeout as sleep } from 'node:timers/promises';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import type { Clock } from './clock.ts';
import type { Counts, FleetClient } from './fleet-client.ts';
import type { Message } from './message.ts';
import { type SimulatedVehicle, simulateVehicle } from './simulated-vehicle.ts';

export type Progress = {
  time: number;
  activities: { driving: number; charging: number; parked: number };
  messages: number;
  counts: Counts;
};

export type Summary = Progress & {
  vehicles: number;
  drivenKm: number;
  chargedKwh: number;
  sessionsBegun: number;
  sessionsEnded: number;
};

type Options = {
  clock: Clock;
  /** Equal seeds give equal simulations. */
  seed: string;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
};

export type Simulation = {
  fleet: readonly SimulatedVehicle[];
  /** Runs to the end of the clock, or until the signal is aborted. */
  run(): Promise<void>;
  summary(): Summary;
};

const tickMs = 1_000;
// Bounds the size of batches at any speed.
const stepMs = 10 * 60_000;
const maxBatchSize = 1_000;

/** Simulates vehicles from their current statuses on, and sends their messages. */
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
    for (let start = 0; start < batch.length; start += maxBatchSize) {
      const some = batch.slice(start, start + maxBatchSize);
      const results = await client.send(some);
      messages += some.length;
      for (const kind of Object.keys(counts) as (keyof Counts)[]) counts[kind] += results[kind];
    }
  };
  const progress = (): Progress => {
    const activities = { driving: 0, charging: 0, parked: 0 };
    for (const vehicle of fleet) activities[vehicle.activity()] += 1;
    return { time, activities, messages, counts: { ...counts } };
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
      if (!signal.aborted) await send(fleet.flatMap((vehicle) => vehicle.finalMessage()));
    },
    summary() {
      const sessions = fleet.flatMap((vehicle) => vehicle.sessions);
      return {
        ...progress(),
        vehicles: fleet.length,
        drivenKm: sum(fleet.map((vehicle) => vehicle.drivenKm())),
        chargedKwh: sum(fleet.map((vehicle) => vehicle.chargedKwh())),
        sessionsBegun: sessions.filter(({ startedBefore }) => !startedBefore).length,
        sessionsEnded: sessions.filter(({ to }) => to !== undefined).length,
      };
    },
  };
}

/** After the last message of the vehicle. */
function startOf({ status }: Vehicle, start: number): number {
  const last = status.lastUpdated === undefined ? 0 : Date.parse(status.lastUpdated);
  return Math.max(start, last + 1_000);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
