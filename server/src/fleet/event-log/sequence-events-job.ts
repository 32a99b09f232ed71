import { listPendingProviders, sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';

/** Numbers what nobody has read, so that the first reader does not have to number all of it. */
export const sequenceEventsJob = job({
  name: 'sequence-events',
  key: () => 'all',
  cron: '* * * * *',
  // Each batch is a transaction of its own.
  transactional: false,
  async run(_payload: object, { db }: Dependencies) {
    const errors: unknown[] = [];
    for (const provider of await listPendingProviders(db))
      await sequenceEvents(db, provider).catch((error) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'Some events could not be numbered.');
  },
});
