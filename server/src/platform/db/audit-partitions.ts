import type { Database } from './database.ts';
import { createMonthlyPartitions, dropMonthlyPartitions } from './monthly-partitions.ts';

const table = 'audit_events';

/** In real time, in which the database dates the events. Needs the role that owns the schema. */
export function createAuditPartitions(owner: Database, now = new Date()): Promise<void> {
  return createMonthlyPartitions(owner, table, now, now);
}

export function dropAuditPartitions(
  owner: Database,
  retentionDays: number,
  now: Date,
): Promise<void> {
  return dropMonthlyPartitions(owner, table, auditKeptFrom(retentionDays, now));
}

/** The start of the oldest month that is kept. */
export function auditKeptFrom(retentionDays: number, now: Date): Date {
  const oldest = new Date(now.getTime() - retentionDays * 86_400_000);
  return new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth(), 1));
}
