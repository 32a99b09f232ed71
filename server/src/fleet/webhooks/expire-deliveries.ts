import { job } from '../../platform/jobs/job.ts';
import type { Dependencies } from '../dependencies.ts';

/** Deletes deliveries with the age at which events expire, in batches. */
export const expireDeliveries = job({
  name: 'expire-webhook-deliveries',
  key: () => 'all',
  cron: '41 * * * *',
  transactional: false,
  async run(_payload: object, { db, settings }: Dependencies) {
    for (;;) {
      const expired = await db.query(expire, [settings.eventsRetentionDays, batchSize]);
      if (expired.length < batchSize) return;
    }
  },
});

const batchSize = 5_000;

const expire = `
  delete from webhook_deliveries where (provider, webhook_id, number) in (
    select provider, webhook_id, number from webhook_deliveries
    where created_at < now() - make_interval(days => $1) limit $2
  ) returning 1`;
