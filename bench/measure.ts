import type { Environment } from './environment.ts';
import type { LoadResult } from './load/load.ts';
import type { RunningPeer } from './peers/peer.ts';
import type { Scenario } from './scenarios.ts';
import { type Usage, waitUntilIdle, watchUsage } from './usage.ts';

/** Duration, number and concurrency of the measurements. */
export type Pace = { connections: number; seconds: number; passes: number };

export type Measurement = LoadResult & Usage;

/** One pass of one scenario, after a warm-up. */
export async function measure(
  peer: RunningPeer,
  environment: Environment,
  scenario: Scenario,
  { connections, seconds }: Pace,
): Promise<Measurement> {
  // As long as the measurement: V8 still compiles, and PostgreSQL writes full pages after a checkpoint.
  await peer.run(scenario, connections, seconds);
  // A load that disconnects leaves requests in progress.
  await waitUntilIdle(peer.pids, environment.postgresFolders);
  const usage = watchUsage(peer.pids, environment.postgresFolders);
  const result = await peer.run(scenario, connections, seconds, usage.begin);
  return { ...result, ...usage.end() };
}

/** The median of each figure. */
export function median(measurements: readonly Measurement[]): Measurement {
  const of = (figure: keyof Measurement) => {
    const sorted = measurements.map((one) => one[figure]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    failed: Math.max(...measurements.map(({ failed }) => failed)),
    residentMib: of('residentMib'),
    serviceCores: of('serviceCores'),
    databaseCores: of('databaseCores'),
  };
}
