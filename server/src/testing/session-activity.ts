import type { Queryable } from '../platform/db/database.ts';

/** The view of what sessions wait for: on a sharded database, they wait for locks on a worker. */
export function sessionActivity({ isSharded }: Pick<Queryable, 'isSharded'>): string {
  return isSharded ? 'citus_stat_activity' : 'pg_stat_activity';
}
