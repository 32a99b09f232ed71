import { setLocalActor } from '../../platform/db/actor.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import { eraseCustomerKeys } from '../audit/public.ts';
import type { CustomerData, CustomerKey, ErasedBatch, ErasureBatch } from '../customer-data.ts';
import type { Dependencies } from '../dependencies.ts';
import { eraseEvents } from '../event-log/public.ts';
import { customerOf } from '../users/public.ts';
import { addErased, completeErasure, type ErasureJob, lockPending } from './erasure-store.ts';

/** What is written later than this is of after the erasure. */
const maxPartialBatches = 10;

/** Erases a customer in batches, each a transaction that enqueues the next. It ends, however often others name the customer anew. */
export function eraseUserJob(data: readonly CustomerData[], batchSize = 500) {
  const definition = job<ErasureJob, Dependencies>({
    name: 'erase-user',
    key: ({ provider, erasureId }) => `${provider} ${erasureId}`,
    tenant: ({ provider }) => provider,
    async run(payload, { tx, jobs, events, clock }) {
      const row = await lockPending(tx, payload);
      const customer = row && customerOf(row);
      if (!customer) return;
      const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = customer;
      const key: CustomerKey = [
        payload.provider,
        mobilityProviderCountryCode,
        mobilityProviderCode,
        customerId,
      ];
      await tx.queryUnprepared(setLocalActor(JSON.stringify(payload.actor)));
      const { erases_positions: erasesPositions } = row;
      const batch = { limit: batchSize, now: clock.now(), erasesPositions, events };
      const { partialBatches = 0 } = payload;
      if (partialBatches < maxPartialBatches) {
        const { records, isFull } = await eraseBatch(tx, key, batch);
        if (records > 0 || isFull) {
          await addErased(tx, payload, records);
          const next = isFull ? partialBatches : partialBatches + 1;
          await jobs.add(tx, definition, { ...payload, partialBatches: next });
          return;
        }
      }
      await completeErasure(tx, payload, batch.now);
      await eraseEvents(tx, key);
      await eraseCustomerKeys(tx, payload.provider, customer);
    },
  });
  return definition;

  async function eraseBatch(
    tx: Queryable,
    key: CustomerKey,
    batch: ErasureBatch,
  ): Promise<ErasedBatch> {
    const all = { records: 0, isFull: false };
    for (const { erase } of data) {
      const erased = await erase?.(tx, key, batch);
      all.records += erased?.records ?? 0;
      all.isFull ||= erased?.isFull ?? false;
    }
    return all;
  }
}
