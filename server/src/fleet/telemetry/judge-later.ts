import { type Job, job } from '../../platform/jobs/job.ts';
import type { Dependencies, SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { mergeIntoHistory } from './merge-into-history.ts';
import type { Stretch } from './odometer-walk.ts';
import { lockStatuses } from './status-store.ts';

type Payload = { provider: string; vehicleId: string } & Stretch;

/** Judges the odometers of a vehicle again from a time on, as far as a late one affects them; one that goes far enqueues the next. */
export const judgeLater: Job<Payload, Dependencies> = job({
  name: 'judge-odometers',
  key: ({ provider, vehicleId }) => `${provider} ${vehicleId}`,
  // A walk goes on from its first reading, whatever it finds, at least until the last.
  merge: (waiting, added) => ({
    ...added,
    from: Math.min(waiting.from, added.from),
    until: Math.max(waiting.until, added.until),
  }),
  tenant: ({ provider }) => provider,
  async run({ provider, vehicleId, from, until }, { tx, events }) {
    const [locked] = await lockStatuses(tx, provider, [vehicleId]);
    if (!locked) return;
    const again = { from, until };
    await mergeIntoHistory({ tx, events }, provider, [{ locked, readings: [], again }]);
  },
});

export async function enqueueJudging(
  { providerId, walks }: FleetEvents['judgingDeferred'],
  { tx, jobs }: SubscriberContext,
): Promise<void> {
  for (const walk of walks) await jobs.add(tx, judgeLater, { provider: providerId, ...walk });
}
