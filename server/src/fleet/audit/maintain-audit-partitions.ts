import { createAuditPartitions, dropAuditPartitions } from '../../platform/db/audit-partitions.ts';
import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';

/** Creates the partitions of the months to come, and drops those that are no longer kept. */
export const maintainAuditPartitions = job({
  name: 'maintain-audit-partitions',
  key: () => 'all',
  cron: '27 2 * * *',
  // A partition is detached concurrently, which PostgreSQL does in no transaction.
  transactional: false,
  async run(_payload: object, { owner, settings }: Dependencies) {
    await createAuditPartitions(owner);
    await dropAuditPartitions(owner, settings.auditRetentionDays, new Date());
  },
});
