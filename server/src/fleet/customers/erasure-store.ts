import type { Actor } from '../../platform/db/actor.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { CustomerKey, ErasureBatch } from '../customer-data.ts';
import { type CustomerRow, customerColumns } from '../users/public.ts';
import { type ErasureRow, erasureColumns } from './erasure.ts';

/** The payload of the job of an erasure; its changes are recorded as those of whoever asked for it. */
export type ErasureJob = {
  provider: string;
  erasureId: string;
  actor: Actor;
  /** The batches so far that were not full: there is another one while these find what was being written meanwhile. */
  partialBatches?: number;
};

/** The erasure of the customer that is pending, or a new one. */
export async function pendingErasure(
  tx: Queryable,
  customer: CustomerKey,
  { now, erasesPositions }: Pick<ErasureBatch, 'now' | 'erasesPositions'>,
): Promise<ErasureRow> {
  const [row] = await tx.query<ErasureRow>(upsertErasure, [...customer, now, erasesPositions]);
  return row as ErasureRow;
}

// The update makes the statement return the erasure that is pending, and lock it against its job.
const upsertErasure = `
  insert into customer_erasures as e
    (provider, customer_country_code, customer_provider_code, customer_id, requested_at, erases_positions)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (provider, customer_country_code, customer_provider_code, customer_id) where customer_id is not null
    do update set erases_positions = e.erases_positions or excluded.erases_positions
  returning ${erasureColumns}`;

type PendingRow = CustomerRow & Pick<ErasureRow, 'erases_positions'>;

/** The customer of a pending erasure, which is locked. */
export async function lockPending(
  tx: Queryable,
  { provider, erasureId }: ErasureJob,
): Promise<PendingRow | undefined> {
  const [row] = await tx.query<PendingRow>(
    `select ${customerColumns('e')}, e.erases_positions from customer_erasures e
     where e.provider = $1 and e.id = $2 and e.completed_at is null for update`,
    [provider, erasureId],
  );
  return row;
}

export async function addErased(
  tx: Queryable,
  { provider, erasureId }: ErasureJob,
  count: number,
): Promise<void> {
  await tx.query(
    'update customer_erasures set erased_count = erased_count + $3 where provider = $1 and id = $2',
    [provider, erasureId, count],
  );
}

/** Of a provider: each is a job of its own, which idle workers read past while it waits for its turn. */
export const maxPendingErasures = 1_000;

export async function hasTooManyPending(tx: Queryable, provider: string): Promise<boolean> {
  // Those that are completed name nobody.
  const pending = await tx.query(
    'select 1 from customer_erasures where provider = $1 and customer_id is not null limit $2',
    [provider, maxPendingErasures + 1],
  );
  return pending.length > maxPendingErasures;
}

/** From then on the erasure itself has no customer. */
export async function completeErasure(
  tx: Queryable,
  { provider, erasureId }: ErasureJob,
  now: Date,
): Promise<void> {
  await tx.query(
    `update customer_erasures set completed_at = $3,
       customer_country_code = null, customer_provider_code = null, customer_id = null
     where provider = $1 and id = $2`,
    [provider, erasureId, now],
  );
}
