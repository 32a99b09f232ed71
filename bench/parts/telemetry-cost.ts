import { withDatabase } from '../database.ts';
import type { Environment } from '../environment.ts';
import { log } from '../log.ts';
import type { Pace } from '../measure.ts';
import { startProcesses } from '../peers/motorpool.ts';
import type { RunningPeer } from '../peers/peer.ts';
import { scenarioNamed } from '../scenarios.ts';
import { batchSize } from '../telemetry.ts';
import { waitUntilIdle, watchUsage } from '../usage.ts';

/** What one message takes: processor time, and bytes that are written. */
export type TelemetryCost = {
  label: string;
  perSecond: number;
  serviceUs: number;
  databaseUs: number;
  walBytes: number;
  historyBytes: number;
};

const telemetry = scenarioNamed('telemetry, batches of 500');

/** Messages in batches to one process and to two, in turns. */
export async function measureTelemetryCost(
  environment: Environment,
  pace: Pace,
): Promise<TelemetryCost[]> {
  const passes: TelemetryCost[] = [];
  for (let pass = 1; pass <= pace.passes; pass++) {
    for (const [label, processes] of [
      ['one process', 1],
      ['two processes', 2],
    ] as const) {
      const service = await startProcesses(environment, processes);
      try {
        const cost = await measureMessages(service, environment, pace);
        log(`pass ${pass}: ${label}: ${Math.round(cost.perSecond)} messages a second`);
        passes.push({ label, ...cost });
      } finally {
        await service.stop();
      }
    }
  }
  return [...Map.groupBy(passes, ({ label }) => label).values()].map(medianOf);
}

async function measureMessages(
  service: RunningPeer,
  environment: Environment,
  { connections, seconds }: Pace,
): Promise<Omit<TelemetryCost, 'label'>> {
  await service.run(telemetry, connections, seconds);
  await waitUntilIdle(service.pids, environment.postgresFolders);
  const before = await writtenBytes(environment);
  const usage = watchUsage(service.pids, environment.postgresFolders);
  let beganAt = performance.now();
  const { perSecond } = await service.run(telemetry, connections, seconds, () => {
    usage.begin();
    beganAt = performance.now();
  });
  const elapsedMs = performance.now() - beganAt;
  const { serviceCores, databaseCores } = usage.end();
  const after = await writtenBytes(environment);
  const messages = perSecond * seconds * batchSize;
  const perMessage = (cores: number) => (cores * elapsedMs * 1_000) / messages;
  return {
    perSecond: perSecond * batchSize,
    serviceUs: perMessage(serviceCores),
    databaseUs: perMessage(databaseCores),
    walBytes: (after.wal - before.wal) / messages,
    historyBytes: (after.history - before.history) / messages,
  };
}

/** So far: of the write-ahead log, and of the history with its indexes. */
function writtenBytes({ connection }: Environment): Promise<{ wal: number; history: number }> {
  return withDatabase(connection, async (db) => {
    const [row] = await db.query<{ wal: number; history: number }>(
      `select (pg_current_wal_lsn() - '0/0')::float8 as wal,
         (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('vehicle_history')) as history`,
    );
    if (!row) throw new Error('PostgreSQL tells no sizes.');
    return row;
  });
}

/** By the processor time of a message. */
function medianOf(passes: readonly TelemetryCost[]): TelemetryCost {
  const total = ({ serviceUs, databaseUs }: TelemetryCost) => serviceUs + databaseUs;
  const middle = passes.toSorted((a, b) => total(a) - total(b))[Math.floor(passes.length / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}
