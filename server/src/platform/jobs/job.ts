import type { Queryable } from '../db/database.ts';

/** A piece of work that is done later, by the service or by a worker apart. */
export type Job<Payload extends object, Dependencies> =
  | TransactionalJob<Payload, Dependencies>
  | IdempotentJob<Payload, Dependencies>;

type Description<Payload extends object> = {
  name: string;
  /** Two that have the same key are one, as long as neither has begun. */
  key(payload: Payload): string;
  /** For what is done regularly: when, in the words of cron (UTC). */
  cron?: string;
};

type TransactionalJob<Payload extends object, Dependencies> = Description<Payload> & {
  transactional?: true;
  /** What it writes through `tx`, the jobs it adds included, happens once: together with its end. */
  run(payload: Payload, given: Dependencies & { tx: Queryable; jobs: Jobs }): Promise<void>;
};

type IdempotentJob<Payload extends object, Dependencies> = Description<Payload> & {
  /** For what no transaction can do. It is completed after its work: a crash in between runs it again. */
  transactional: false;
  run(payload: Payload, given: Dependencies & { jobs: Jobs }): Promise<void>;
};

/** Types the work by its payload, and forgets it for the list of all jobs. */
export function job<Payload extends object, Dependencies>(
  definition: TransactionalJob<Payload, Dependencies>,
): TransactionalJob<Payload, Dependencies>;
export function job<Payload extends object, Dependencies>(
  definition: IdempotentJob<Payload, Dependencies>,
): IdempotentJob<Payload, Dependencies>;
export function job<Payload extends object, Dependencies>(
  definition: Job<Payload, Dependencies>,
): Job<Payload, Dependencies> {
  return definition;
}

export type Jobs = {
  /** Adds a job in the transaction of the write that causes it, or joins the one that waits already. */
  add<Payload extends object>(
    tx: Queryable,
    job: Job<Payload, never>,
    payload: Payload,
  ): Promise<void>;
};
