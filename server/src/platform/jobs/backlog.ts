import type { Queryable } from '../db/database.ts';

/** The jobs of a kind that are due and wait for a worker. */
export type Backlog = { name: string; waiting: number; oldestSeconds: number };

/** The payloads of the jobs of a kind that wait for a tenant, due or not, at most `limit`. */
export async function findWaitingOf<Payload>(
  db: Queryable,
  name: string,
  tenant: string,
  limit: number,
): Promise<Payload[]> {
  // A plan that was made for a short queue would be kept for a long one.
  const rows = await db.queryUnprepared<{ data: Payload }>(
    `select data from pgboss.job where name = $1 and group_id = $2 and state < 'active' limit $3`,
    [name, tenant, limit],
  );
  return rows.map(({ data }) => data);
}

/** The backlog of every kind of job, and of the dead letter queue. */
export function findBacklogs(db: Queryable): Promise<Backlog[]> {
  return db.query<Backlog>(`
    select q.name, count(j.id)::int as waiting,
      coalesce(extract(epoch from now() - min(j.start_after)), 0)::float8 as "oldestSeconds"
    from pgboss.queue q
    left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry') and j.start_after <= now()
    group by q.name order by q.name`);
}
