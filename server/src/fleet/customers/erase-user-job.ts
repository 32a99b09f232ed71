import { setLocalActor } from '../../platform/db/actor.ts';
import { job } from '../../platform/jobs/job.ts';
import { eraseCustomerKeys } from '../audit/public.ts';
import type { CustomerData, CustomerKey } from '../customer-data.ts';
import type { Dependencies } from '../dependencies.ts';
import { eraseEvents } from '../event-log/public.ts';
import { customerOf } from '../users/public.ts';
import { addErased, completeErasure, type ErasureJob, lockPending } from './erasure-store.ts';

/** Erases a customer in batches, each a transaction that enqueues the next. */
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
      let erased = 0;
      for (const { erase } of data) erased += (await erase?.(tx, key, batch)) ?? 0;
      if (erased > 0) {
        await addErased(tx, payload, erased);
        await jobs.add(tx, definition, payload);
        return;
      }
      await completeErasure(tx, payload, batch.now);
      await eraseEvents(tx, key);
      await eraseCustomerKeys(tx, payload.provider, customer);
    },
  });
  return definition;
}
