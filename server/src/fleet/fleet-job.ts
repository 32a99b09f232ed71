import type { Queryable } from '../platform/db/database.ts';
import { isLockTimeout, isTimeout } from '../platform/db/statement-timeout.ts';
import { job, type TransactionalJob } from '../platform/jobs/job.ts';
import { runForMost } from '../platform/jobs/run-for-most.ts';
import type { Dependencies } from './dependencies.ts';

type Payload = {
  /** Every provider when left out. */
  provider?: string;
  /** The id of the last vehicle that was processed. */
  after?: string;
  /** How many vehicles it processes, where as many as usual have met a timeout. */
  size?: number;
  /** The only vehicle: one for which the job failed. */
  vehicleId?: string;
};

type FleetJob = {
  name: string;
  cron?: string;
  /** How many vehicles one transaction processes at most. */
  batchSize?: number;
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

/**
 * A job over the vehicles of a provider in batches, each a transaction that enqueues the next; providers take turns. A
 * vehicle for which it fails is left out and gets a job of its own, so that the others do not wait for it.
 */
export function fleetJob({
  name,
  cron,
  batchSize = 200,
  select,
  values,
  run,
}: FleetJob): TransactionalJob<Payload, Dependencies> {
  const definition: TransactionalJob<Payload, Dependencies> = job({
    name,
    ...(cron !== undefined && { cron }),
    key: ({ provider = '', after = '', vehicleId }) =>
      vehicleId === undefined ? `${provider} after ${after}` : `${provider} only ${vehicleId}`,
    tenant: ({ provider = 'all' }) => provider,
    async run({ provider, after = '', size = batchSize, vehicleId }, dependencies) {
      const { tx, jobs } = dependencies;
      if (provider === undefined) {
        const providers = await tx.query<{ id: string }>('select id from providers order by id');
        for (const { id } of providers) await jobs.add(tx, definition, { provider: id });
        return;
      }
      if (vehicleId !== undefined) {
        await run(provider, [vehicleId], dependencies).catch((cause) => {
          throw new Error(`${name} fails for the vehicle ${vehicleId}: ${cause}`, { cause });
        });
        return;
      }
      const rows = await tx.query<{ id: string }>(select, [
        provider,
        after,
        size,
        ...(values?.(dependencies) ?? []),
      ]);
      const ids = rows.map(({ id }) => id);
      let failing: Iterable<string>;
      try {
        failing = (await runForMost(tx, ids, (some) => run(provider, some, dependencies))).keys();
      } catch (error) {
        if (!isTimeout(error) && !isLockTimeout(error)) throw error;
        if (ids.length > 1) {
          const half = Math.ceil(ids.length / 2);
          return jobs.add(tx, definition, { provider, after, size: half });
        }
        failing = ids;
      }
      for (const id of [...failing].sort())
        await jobs.add(tx, definition, { provider, vehicleId: id });
      if (ids.length < size) return;
      const larger = size < batchSize && { size: Math.min(batchSize, size * 2) };
      await jobs.add(tx, definition, { provider, after: ids.at(-1) ?? after, ...larger });
    },
  });
  return definition;
}
