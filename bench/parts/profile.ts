import type { Environment } from '../environment.ts';
import { log } from '../log.ts';
import type { Pace } from '../measure.ts';
import { startProcesses } from '../peers/motorpool.ts';
import type { RunningPeer } from '../peers/peer.ts';
import { sharesOf, startProfiling } from '../profiler.ts';
import { scenarioNamed } from '../scenarios.ts';
import { waitUntilIdle, watchUsage } from '../usage.ts';

/** Where the processor time of a request, or of what it carries, goes. */
export type RequestProfile = {
  scenario: string;
  unit: string;
  serviceUs: number;
  databaseUs: number;
  /** The parts of the time of the service, by layer. */
  shares: Map<string, number>;
};

const profiled = [
  'read a vehicle and its status',
  'charging history, 25 of 105',
  'update an incident',
  'telemetry, batches of 500',
].map(scenarioNamed);

/** Each on a service of its own, as one that was profiled keeps what it compiled for that. */
export async function measureProfiles(
  environment: Environment,
  pace: Pace,
): Promise<RequestProfile[]> {
  const profiles: RequestProfile[] = [];
  for (const scenario of profiled) {
    const service = await startProcesses(environment, 1);
    try {
      profiles.push(await profile(service, environment, scenario, pace));
      log(`profiled: ${scenario.name}`);
    } finally {
      await service.stop();
    }
  }
  return profiles;
}

async function profile(
  service: RunningPeer,
  environment: Environment,
  scenario: (typeof profiled)[number],
  { connections, seconds }: Pace,
): Promise<RequestProfile> {
  const [pid] = service.pids;
  if (pid === undefined) throw new Error('The service has no process.');
  await service.run(scenario, connections, seconds);
  await waitUntilIdle(service.pids, environment.postgresFolders);
  const usage = watchUsage(service.pids, environment.postgresFolders);
  const { perSecond } = await service.run(scenario, connections, seconds, usage.begin);
  const { serviceCores, databaseCores } = usage.end();
  // Apart from the times above, as sampling takes some itself.
  const stopProfiling = await startProfiling(pid);
  await service.run(scenario, connections, seconds);
  const shares = sharesOf(await stopProfiling());
  const { count = 1, unit = 'request' } = scenario.carries ?? {};
  const each = (cores: number) => (cores * 1e6) / (perSecond * count);
  return {
    scenario: scenario.name,
    unit,
    serviceUs: each(serviceCores),
    databaseUs: each(databaseCores),
    shares,
  };
}
