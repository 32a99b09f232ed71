import type { Queryable } from '../platform/db/database.ts';
import { type Job, job } from '../platform/jobs/job.ts';
import type { Dependencies } from './dependencies.ts';

type Payload = {
  /** Every provider when left out. */
  provider?: string;
  /** The id of the last vehicle that was processed. */
  after?: string;
};

type FleetJob = {
  name: string;
  cron?: string;
  /** Selects `id` of the vehicles of provider $1 that come after $2, in the order of their ids, at most $3. */
  select: string;
  /** The values of $4, $5… */
  values?(dependencies: Dependencies): unknown[];
  run(
    providerId: string,
    vehicleIds: readonly string[],
    dependencies: Dependencies & { tx: Queryable },
  ): Promise<void>;
};

const batchSize = 1_000;

/** A job over the vehicles of a provider in batches, each a transaction that enqueues the next. */
export function fleetJob({
  name,
  cron,
  select,
  values,
  run,
}: FleetJob): Job<Payload, Dependencies> {
  const definition: Job<Payload, Dependencies> = job({
    name,
    ...(cron !== undefined && { cron }),
    key: ({ provider = '', after = '' }) => `${provider} ${after}`,
    async run({ provider, after = '' }, dependencies) {
      const { tx, jobs } = dependencies;
      if (provider === undefined) {
        const providers = await tx.query<{ id: string }>('select id from providers order by id');
        for (const { id } of providers) await jobs.add(tx, definition, { provider: id });
        return;
      }
      const rows = await tx.query<{ id: string }>(select, [
        provider,
        after,
        batchSize,
        ...(values?.(dependencies) ?? []),
      ]);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await run(provider, ids, dependencies);
      if (ids.length === batchSize) await jobs.add(tx, definition, { provider, after: ids.at(-1) });
    },
  });
  return definition;
}
