import { listPendingProviders, sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { job } from '../../platform/jobs/job.ts';
import { runForEach } from '../../platform/jobs/run-for-each.ts';
import type { Dependencies } from '../dependencies.ts';

/** Numbers what nobody has read, so that the first reader does not have to number all of it. */
export const sequenceEventsJob = job({
  name: 'sequence-events',
  key: () => 'all',
  cron: '* * * * *',
  // Each batch is a transaction of its own.
  transactional: false,
  async run(_payload: object, { db }: Dependencies) {
    const providers = await listPendingProviders(db);
    const sequence = (provider: string) => sequenceEvents(db, provider);
    await runForEach(providers, sequence, 'Some events could not be numbered.');
  },
});
