import type { Queryable } from '../platform/db/database.ts';

/** How many sessions of the database wait for a lock: on a sharded one, they wait for it on a worker. */
export async function lockWaits(db: Queryable): Promise<number> {
  // A transaction would see the same sessions again.
  await db.queryUnprepared('select pg_stat_clear_snapshot()');
  const [found] = await db.queryUnprepared<{ count: number }>(
    `select count(*)::int as count from ${db.isSharded ? 'citus_stat_activity' : 'pg_stat_activity'}
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return found?.count ?? 0;
}
