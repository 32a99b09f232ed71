import type { Environment } from '../environment.ts';
import { log } from '../log.ts';
import { motorpoolPeer } from '../peers/motorpool.ts';
import { startTask } from '../processes.ts';
import { scenarioNamed, tokenRequest, type Unsigned, vehicleWrites } from '../scenarios.ts';
import { batchSize } from '../telemetry.ts';
import { type Usage, watchUsage } from '../usage.ts';

export type MixtureJob = {
  url: string;
  clients: number;
  seconds: number;
  /** The requests of the clients, and their weights in percent. */
  kinds: { name: string; weight: number; requests: Unsigned[] }[];
  token: Unsigned;
  telemetry: Unsigned[];
  batchesPerSecond: number;
};

export type KindResult = {
  name: string;
  count: number;
  p50: number;
  p99: number;
  failed: number;
};

export type MixtureResult = {
  clients: number;
  seconds: number;
  messagesPerSecond: number;
  kinds: KindResult[];
  usage: Usage;
};

const clients = 50;
const messagesPerSecond = 5_000;

/** The share of each scenario in the requests of the clients: mostly reads. */
const weights: Record<string, number> = {
  'find: rare text, 25': 20,
  'find: common text, 25': 15,
  'find: by odometer, 25': 10,
  'charging history, 25 of 105': 15,
  'read a vehicle and its status': 35,
  'update an incident': 5,
};

/** Clients with a mixture of requests, and telemetry at a fixed rate. */
export async function measureMixture(
  environment: Environment,
  seconds: number,
): Promise<MixtureResult> {
  const service = await motorpoolPeer.start(environment);
  const task = startTask<MixtureJob, KindResult[]>('parts/mixture-task.ts');
  try {
    const job: MixtureJob = {
      url: service.urls?.[0] ?? '',
      clients,
      seconds,
      kinds: [
        ...Object.entries(weights).map(([name, weight]) => ({
          name,
          weight,
          requests: scenarioNamed(name).requests(environment),
        })),
        // A few per second, each of which invalidates cached searches.
        { name: 'write a vehicle', weight: 0.5, requests: vehicleWrites(environment) },
      ],
      token: tokenRequest(environment, 0),
      telemetry: scenarioNamed('telemetry, batches of 500').requests(environment),
      batchesPerSecond: messagesPerSecond / batchSize,
    };
    const usage = watchUsage(service.pids, environment.postgresFolders);
    const kinds = await task.execute(job, usage.begin);
    const used = usage.end();
    for (const { name, count, p99, failed } of kinds) {
      log(`mixture, ${name}: ${count} answers, p99 ${p99.toFixed(1)} ms, ${failed} failed`);
    }
    return { clients, seconds, messagesPerSecond, kinds, usage: used };
  } finally {
    await task.stop();
    await service.stop();
  }
}
