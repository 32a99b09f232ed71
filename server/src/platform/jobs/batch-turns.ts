import type { Queryable } from '../db/database.ts';
import type { BatchedJob } from './job.ts';

// A worker fetches by priority first. Skips what is locked, so that it waits for nobody.
const bringForward = `
  update pgboss.job set priority = 1
  where name = $1 and id = any (array(
    select id from pgboss.job
    where name = $1 and state < 'active' and not blocked and start_after <= now() and group_id <> all ($2::text[])
    order by priority desc, created_on limit $3
    for update skip locked
  ))`;

/** Lets tenants take turns at the batches of a kind; to be called after each batch. */
export function createBatchTurns<Payload extends object>(
  db: Queryable,
  { name, batchSize, tenant }: Pick<BatchedJob<Payload, never>, 'name' | 'batchSize' | 'tenant'>,
  /** Of which no other job is run before: to bring one forward would be in vain. */
  running: ReadonlySet<string> = new Set(),
): (batch: readonly Payload[]) => Promise<void> {
  /** Those that had a part of a batch since all who waited had one. */
  const served = new Set<string>();
  let restUntil = 0;
  return async (batch) => {
    // Nobody waited behind it.
    if (batch.length < batchSize) return served.clear();
    for (const payload of batch) served.add(tenant(payload));
    const startedAt = performance.now();
    if (startedAt < restUntil) return;
    let mayHaveMore = false;
    try {
      const { rowCount } = await db.rawQuery(bringForward, [
        name,
        [...served, ...running],
        batchSize,
      ]);
      mayHaveMore = rowCount === batchSize;
    } finally {
      if (!mayHaveMore) served.clear();
      // It has read all that wait, or those of the tenants that were served: a tenth of the time at most.
      const endedAt = performance.now();
      if (!mayHaveMore || batchSize === 1) restUntil = endedAt + 9 * (endedAt - startedAt);
    }
  };
}
