import type { Queryable } from '../../platform/db/database.ts';
import { lockSequence } from '../../platform/event-log/sequence-events.ts';
import type { CustomerKey } from '../customer-data.ts';

/**
 * Removes the records from all events of records that have named the customer, and from those of their files. Comes last in
 * the transaction of an erasure, before the keys of the audit trail go, which tell which records these are.
 */
export async function eraseEvents(tx: Queryable, customer: CustomerKey): Promise<void> {
  // No event moves from one table to the other meanwhile.
  await tx.query(lockSequence, [customer[0]]);
  const rows = await tx.query<{ record_id: string }>(selectNamed, customer);
  const ids = rows.map(({ record_id }) => record_id);
  for (const table of ['event_outbox', 'event_log']) {
    await tx.query(eraseFrom(table), [...customer, ids]);
  }
}

const names = (image: string) => `${image}::jsonb @> jsonb_build_object(
  'customer_country_code', $2::text, 'customer_provider_code', $3::text, 'customer_id', $4::uuid)`;

const selectNamed = `
  select key_id::text as record_id from audit_key_customers
  where provider = $1 and customer_country_code = $2 and customer_provider_code = $3 and customer_id = $4
  union select record_id from event_outbox where provider = $1 and (${names('before')} or ${names('after')})
  union select record_id from event_log where provider = $1 and (${names('before')} or ${names('after')})`;

// An event of the outbox is read as erased once neither state is left. That of a driver is named after the customer.
const eraseFrom = (table: string) => `
  update ${table} set before = null, after = null,
    ${table === 'event_log' ? 'erased = true,' : ''}
    record_id = case when type like 'driver.%' then '' else record_id end
  where provider = $1 and (
    record_id = any($5::text[]) or concat_ws('/', $2::text, $3::text, $4::text) = record_id
    or (type like 'file.%' and split_part(record_id, '/', 2) = any($5::text[])))`;
