import type { Environment } from './environment.ts';
import type { LoadResult } from './load/load.ts';
import type { RunningPeer } from './peers/peer.ts';
import type { Line } from './scenarios.ts';
import { type Usage, untilQuiet, watchUsage } from './usage.ts';

/** How long and how often everything is measured. */
export type Pace = { connections: number; seconds: number; passes: number };

export type Measurement = LoadResult & Usage;

/** One pass of one line, warmed up. */
export async function measure(
  peer: RunningPeer,
  environment: Environment,
  line: Line,
  { connections, seconds }: Pace,
): Promise<Measurement> {
  // As long as the measurement: until then V8 still compiles, and PostgreSQL writes every page whole once.
  await peer.run(line, connections, seconds);
  // A load that hangs up leaves work behind, the more the slower the peer.
  await untilQuiet(peer.pids, environment.dataDir);
  const usage = watchUsage(peer.pids, environment.dataDir);
  const result = await peer.run(line, connections, seconds, usage.begin);
  return { ...result, ...usage.end() };
}

/** Of each figure the median of its passes. */
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
