import { sequenceEvents } from '../../server/src/platform/event-log/sequence-events.ts';
import { withDatabase } from '../database.ts';
import type { Environment } from '../environment.ts';
import { providerOf } from '../fleet.ts';
import { log } from '../log.ts';
import type { Pace } from '../measure.ts';
import { motorpoolPeer } from '../peers/motorpool.ts';
import type { RunningPeer } from '../peers/peer.ts';
import { scenarioNamed } from '../scenarios.ts';
import { waitUntilIdle, watchUsage } from '../usage.ts';

/** What one write takes, with some of the triggers that capture changes. */
export type Capture = { label: string; perSecond: number; cpuMs: number; databaseCpuMs: number };

const variants: { label: string; triggers: Trigger[] }[] = [
  { label: 'neither', triggers: [] },
  { label: 'audit trail', triggers: ['audit_update'] },
  { label: 'audit trail and events', triggers: ['audit_update', 'event'] },
];
type Trigger = 'audit_update' | 'event';
const update = scenarioNamed('update an incident');

/** Updates of incidents by one service, in turns with and without the triggers of the audit trail and of events. */
export async function measureCapture(environment: Environment, pace: Pace): Promise<Capture[]> {
  const service = await motorpoolPeer.start(environment);
  try {
    const passes: Capture[] = [];
    // In turns, so that a slow period of the machine affects all of them.
    for (let pass = 1; pass <= pace.passes; pass++) {
      for (const variant of variants) {
        await enableTriggers(environment, variant.triggers);
        const one = await measureUpdates(service, environment, pace);
        log(`pass ${pass}: ${variant.label}: ${one.cpuMs.toFixed(3)} ms of processor time`);
        passes.push({ label: variant.label, ...one });
      }
    }
    return variants.map(({ label }) => medianOf(passes.filter((pass) => pass.label === label)));
  } finally {
    await service.stop();
  }
}

async function enableTriggers(
  { connection }: Environment,
  triggers: readonly Trigger[],
): Promise<void> {
  await withDatabase(connection, async (db) => {
    await db.queryUnprepared(
      'alter table incidents disable trigger audit_update, disable trigger event',
    );
    for (const trigger of triggers)
      await db.queryUnprepared(`alter table incidents enable trigger ${trigger}`);
    // What the variant before has written is no cost of this one.
    await db.queryUnprepared('vacuum (analyze)');
    await db.queryUnprepared('checkpoint');
  });
}

/** After a warm-up; with the numbering of the events. */
async function measureUpdates(
  service: RunningPeer,
  environment: Environment,
  { connections, seconds }: Pace,
): Promise<Omit<Capture, 'label'>> {
  await service.run(update, connections, seconds);
  await numberEvents(environment);
  await waitUntilIdle(service.pids, environment.postgresFolders);
  const usage = watchUsage(service.pids, environment.postgresFolders);
  let beganAt = performance.now();
  const { perSecond } = await service.run(update, connections, seconds, () => {
    usage.begin();
    beganAt = performance.now();
  });
  await numberEvents(environment);
  const elapsedMs = performance.now() - beganAt;
  const { serviceCores, databaseCores } = usage.end();
  const perWrite = (cores: number) => (cores * elapsedMs) / (perSecond * seconds);
  return {
    perSecond,
    cpuMs: perWrite(serviceCores + databaseCores),
    databaseCpuMs: perWrite(databaseCores),
  };
}

function numberEvents(environment: Environment): Promise<void> {
  return withDatabase(environment.connection, (db) => sequenceEvents(db, providerOf(environment)));
}

function medianOf(passes: readonly Capture[]): Capture {
  const sorted = passes.toSorted((a, b) => a.cpuMs - b.cpuMs);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}
