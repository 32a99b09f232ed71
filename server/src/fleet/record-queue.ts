import type { Queryable } from '../platform/db/database.ts';
import { findWaitingOf } from '../platform/jobs/backlog.ts';
import { type Job, type Jobs, job, type TransactionalJob } from '../platform/jobs/job.ts';
import type { Dependencies } from './dependencies.ts';

/** Of a provider: idle workers read past all that wait for one whose turn it is not (docs/decisions/0013-jobs.md). */
export const maxWaiting = 100;
const resumeAfterSeconds = 5;

type Definition<Payload> = {
  /** The job of a record. */
  kind: Job<Payload & object, never>;
  /** The job that enqueues others. */
  name: string;
  cron: string;
  /** The providers that have records to process. */
  findProviders(tx: Queryable): Promise<{ provider: string }[]>;
  /** Those of a provider, at most `limit`, without those that are in the queue. */
  findRecords(
    tx: Queryable,
    provider: string,
    queued: readonly Payload[],
    limit: number,
  ): Promise<Payload[]>;
};

/** Jobs of single records, of which a provider has some in the queue: the others wait in their table until these are done. */
export function recordQueue<Payload extends { provider: string }>(definition: Definition<Payload>) {
  const { kind, name, cron, findProviders, findRecords } = definition;
  const queuedOf = (tx: Queryable, provider: string) =>
    findWaitingOf<Payload>(tx, kind.name, provider, maxWaiting);
  const addLater = (tx: Queryable, jobs: Jobs, provider: string) =>
    jobs.add(tx, resume, { provider }, { startAfterSeconds: resumeAfterSeconds });

  /** Enqueues what waits to be processed without a job, also after the last retry of one failed. */
  const resume: TransactionalJob<{ provider?: string }, Dependencies> = job({
    name,
    cron,
    key: ({ provider = 'all' }) => provider,
    tenant: ({ provider = 'all' }) => provider,
    async run({ provider }, { tx, jobs }) {
      if (provider === undefined) {
        for (const each of await findProviders(tx)) await jobs.add(tx, resume, each);
        return;
      }
      const queued = await queuedOf(tx, provider);
      const room = maxWaiting - queued.length;
      // Many at once: to find them may read all records of the provider.
      if (room < maxWaiting / 2) return addLater(tx, jobs, provider);
      const records = await findRecords(tx, provider, queued, room);
      for (const record of records) await jobs.add(tx, kind, record);
      if (records.length === room) await addLater(tx, jobs, provider);
    },
  });

  /** In the transaction that makes the record one to be processed. */
  async function enqueue(tx: Queryable, jobs: Jobs, record: Payload): Promise<void> {
    const { length } = await queuedOf(tx, record.provider);
    if (length < maxWaiting) await jobs.add(tx, kind, record);
    else await addLater(tx, jobs, record.provider);
  }

  return { resume, enqueue };
}
