import type { Database } from '../../platform/db/database.ts';
import {
  createMonthlyPartitions,
  dropMonthlyPartitions,
} from '../../platform/db/monthly-partitions.ts';
import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';

const table = 'audit_events';

/** Creates the partitions of the months to come, and drops those that are no longer kept. */
export const maintainAuditPartitions = job({
  name: 'maintain-audit-partitions',
  key: () => 'all',
  cron: '27 2 * * *',
  // A partition is detached concurrently, which PostgreSQL does in no transaction.
  transactional: false,
  async run(_payload: object, { db, settings }: Dependencies) {
    await createAuditPartitions(db);
    await dropAuditPartitions(db, settings.auditRetentionDays, new Date());
  },
});

/** In real time, in which the database dates the events. */
export function createAuditPartitions(owner: Database, now = new Date()): Promise<void> {
  return createMonthlyPartitions(owner, table, now, now);
}

export function dropAuditPartitions(
  owner: Database,
  retentionDays: number,
  now: Date,
): Promise<void> {
  return dropMonthlyPartitions(owner, table, keptFrom(retentionDays, now));
}

/** The start of the oldest month that is kept whole. */
export function keptFrom(retentionDays: number, now: Date): Date {
  const oldest = new Date(now.getTime() - retentionDays * 86_400_000);
  return new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth(), 1));
}
