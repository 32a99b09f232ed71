import { randomUUID } from 'node:crypto';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import { type Job, type Jobs, job } from '../../../platform/jobs/job.ts';
import type { Dependencies } from '../../dependencies.ts';
import { countResults } from './box-result.ts';
import { type BoxDelivery, deliveryStore, takeTooLong } from './store-deliveries.ts';

type Payload = {
  provider: string;
  id: string;
  /** Of each, in base64: not every payload is text that PostgreSQL can hold. */
  deliveries: { serial: string; payload: string }[];
};

/** Stores what a provider's boxes sent, in halves where it takes too long together, so that one keeps none of the others. */
export const storeDeferredMessages: Job<Payload, Dependencies> = job({
  name: 'store-deferred-messages',
  key: ({ provider, id }) => `${provider} ${id}`,
  // What is stored twice is a duplicate.
  transactional: false,
  tenant: ({ provider }) => provider,
  // It has positions, which are kept in the history alone.
  isDeletedWhenDone: true,
  async run({ provider, deliveries }, dependencies) {
    const [countryCode = '', code = ''] = provider.split('-');
    const ref = { id: provider, countryCode, code };
    const all = deliveries.map(({ serial, payload }) => ({
      serial,
      payload: Buffer.from(payload, 'base64'),
    }));
    try {
      for (const results of await deliveryStore(dependencies)(ref, all)) countResults(results);
    } catch (error) {
      if (!takeTooLong(error) || all.length === 1) throw error;
      const middle = Math.ceil(all.length / 2);
      await deferDeliveries(dependencies, ref, [all.slice(0, middle), all.slice(middle)]);
    }
  },
});

/** As many wait for one provider at most: whoever sends what takes long must not fill the disk. */
const maxDeferred = 1_000;

/** Whether a provider may have one more of these jobs. */
export async function mayDefer(
  { db }: Pick<Dependencies, 'db'>,
  { id }: ProviderRef,
): Promise<boolean> {
  const waiting = await db
    .forTenant('mqtt', 'internal')
    .query(selectDeferred, [storeDeferredMessages.name, id, maxDeferred]);
  return waiting.length < maxDeferred;
}

const selectDeferred = `
  select from pgboss.job where name = $1 and group_id = $2 and state < 'active' limit $3`;

/** Has them stored by jobs, one for each part. */
export function deferDeliveries(
  { db, jobs }: { db: Dependencies['db']; jobs: Jobs },
  provider: ProviderRef,
  parts: readonly (readonly BoxDelivery[])[],
): Promise<void> {
  return db.forTenant('mqtt', 'internal').transaction(async (tx) => {
    for (const part of parts) {
      const deliveries = part.map(({ serial, payload }) => ({
        serial,
        payload: payload.toString('base64'),
      }));
      await jobs.add(tx, storeDeferredMessages, {
        provider: provider.id,
        id: randomUUID(),
        deliveries,
      });
    }
  });
}
