import type { Queryable } from '../db/database.ts';

/** Work that runs later, in the service or in a separate worker. */
export type Job<Payload extends object, Dependencies> =
  | TransactionalJob<Payload, Dependencies>
  | IdempotentJob<Payload, Dependencies>
  | BatchedJob<Payload, Dependencies>;

type Description<Payload extends object> = {
  name: string;
  /** Deduplicates: of the waiting jobs with one key, there is one. */
  key(payload: Payload): string;
  /** The payload of the waiting job of a key once another is added: that one's, if left out. */
  merge?(waiting: Payload, added: Payload): object;
  /** The schedule of a recurring job, as a cron expression in UTC. */
  cron?: string;
};

export type TransactionalJob<Payload extends object, Dependencies> = Description<Payload> & {
  transactional?: true;
  /** Where a tenant may have many: it has one at a time in a process, and others do not wait for all of its jobs. */
  tenant?(payload: Payload): string;
  /** What it writes through `tx`, jobs included, commits together with its completion. */
  run(payload: Payload, context: Dependencies & { tx: Queryable; jobs: Jobs }): Promise<void>;
};

type IdempotentJob<Payload extends object, Dependencies> = Description<Payload> & {
  /** For effects outside of a transaction. It completes after `run`, so a crash in between runs it again. */
  transactional: false;
  /** Where the payload has personal data: others are kept for a day or two. */
  isDeletedWhenDone?: boolean;
  /** As above, where it takes long. */
  tenant?(payload: Payload): string;
  run(payload: Payload, context: Dependencies & { jobs: Jobs }): Promise<void>;
};

export type BatchedJob<Payload extends object, Dependencies> = Description<Payload> & {
  /** How many waiting jobs are run together at most. */
  batchSize: number;
  /** Those of one tenant share a transaction, so that none waits for what another has locked, and tenants take turns at the batches. */
  tenant(payload: Payload): string;
  /** In a transaction as above. If it throws, it is run again for fewer, until only those fail that have to. */
  runBatch(
    payloads: readonly Payload[],
    context: Dependencies & { tx: Queryable; jobs: Jobs },
  ): Promise<void>;
};

/** Infers the types of a definition. */
export function job<Payload extends object, Dependencies>(
  definition: TransactionalJob<Payload, Dependencies>,
): TransactionalJob<Payload, Dependencies>;
export function job<Payload extends object, Dependencies>(
  definition: IdempotentJob<Payload, Dependencies>,
): IdempotentJob<Payload, Dependencies>;
export function job<Payload extends object, Dependencies>(
  definition: BatchedJob<Payload, Dependencies>,
): BatchedJob<Payload, Dependencies>;
export function job<Payload extends object, Dependencies>(
  definition: Job<Payload, Dependencies>,
): Job<Payload, Dependencies> {
  return definition;
}

export type Jobs = {
  /** Enqueues a job in the transaction of the write that causes it, or updates the waiting one of its key. */
  add<Payload extends object>(
    tx: Queryable,
    job: Job<Payload, never>,
    payload: Payload,
    /** When the job starts at the earliest, unless one of its key waits already. */
    options?: { startAfterSeconds?: number },
  ): Promise<void>;
};
