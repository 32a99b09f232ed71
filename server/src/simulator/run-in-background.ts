import { clockFrom } from './clock.ts';
import { type Access, fleetClient } from './fleet-client.ts';
import { createSimulation } from './run-simulation.ts';

type Options = {
  logger: { warn(details: object, message: string): void };
  signal: AbortSignal;
  /** How far the time of the fleet is ahead of real time. */
  offsetMs?: number;
};

/** Simulates some vehicles until the signal is aborted. An error is logged and ends it, and is never thrown. */
export async function runInBackground(
  access: Access,
  count: number,
  { logger, signal, offsetMs = 0 }: Options,
): Promise<void> {
  try {
    const client = fleetClient(access, signal);
    const real = clockFrom(Date.now(), { speed: 1 });
    const clock = {
      start: real.start + offsetMs,
      at: (time: number) => real.at(time) + offsetMs,
    };
    const seed = new Date(clock.start).toISOString();
    const vehicles = await client.vehicles(count);
    await createSimulation(client, vehicles, { clock, seed, signal }).run();
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'the simulation has ended');
  }
}
