import { type Job, job } from '../../platform/jobs/job.ts';
import type { Dependencies, SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { mergeIntoHistory } from './merge-into-history.ts';
import { lockStatuses } from './status-store.ts';

type Payload = { provider: string; vehicleId: string; from: number };

/** Judges the odometers of a vehicle again from a time on, as far as a late one affects them; one that goes far enqueues the next. */
export const judgeLater: Job<Payload, Dependencies> = job({
  name: 'judge-odometers',
  key: ({ provider, vehicleId, from }) => `${provider} ${vehicleId} ${from}`,
  tenant: ({ provider }) => provider,
  async run({ provider, vehicleId, from }, { tx, events }) {
    const [locked] = await lockStatuses(tx, provider, [vehicleId]);
    if (!locked) return;
    await mergeIntoHistory({ tx, events }, provider, [{ locked, readings: [], judgedFrom: from }]);
  },
});

export async function enqueueJudging(
  { providerId, walks }: FleetEvents['judgingDeferred'],
  { tx, jobs }: SubscriberContext,
): Promise<void> {
  for (const walk of walks) await jobs.add(tx, judgeLater, { provider: providerId, ...walk });
}
