import type { Queryable } from '../../platform/db/database.ts';

/** How many lines a file had, and what came of them. */
export type ImportCounts = { lines: number; created: number; overwritten: number };

/**
 * Records that the acting client, person or command has imported a file: statuses, which it may have written, are in no
 * other event. Without an actor nothing is recorded, as of other changes.
 */
export async function recordImport(
  tx: Queryable,
  providerId: string,
  { lines, created, overwritten }: ImportCounts,
): Promise<void> {
  await tx.query(insertImport, [providerId, { lines, created, overwritten }]);
}

const insertImport = `
  insert into audit_events (provider, action, type, actor, changes)
  select $1::text, 'INSERT', 'import', actor::jsonb, $2::jsonb
  from (select nullif(current_setting('motorpool.actor', true), '') as actor) acting where actor is not null`;
