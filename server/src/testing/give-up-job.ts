import type { Queryable } from '../platform/db/database.ts';
import { deadQueue } from '../platform/jobs/dead-jobs.ts';

export const givenUpAt = '2026-11-15T08:30:00.000Z';

/** A job that has failed for the last time, as the queue leaves it. */
export async function giveUpJob(
  db: Queryable,
  id: string,
  job: string,
  payload: object,
): Promise<void> {
  await db.query(
    `insert into pgboss.job (id, name, data, source_name, source_created_on, source_retry_count, source_output, created_on)
     values ($1, '${deadQueue}', $2, $3, '2026-11-15T05:12:00Z', 12, '{"message": "select secret"}', $4)`,
    [id, JSON.stringify(payload), job, givenUpAt],
  );
}
