import type { Queryable } from '../../platform/db/database.ts';
import type { CustomerKey } from '../customer-data.ts';

/** Records that the acting client or person has read all that is kept of a customer; the customer is encrypted. */
export async function recordExport(tx: Queryable, customer: CustomerKey): Promise<void> {
  await tx.query(insertExport, customer);
}

const insertExport = `
  insert into audit_events (provider, action, type, actor, key_id, personal)
  select $1::text, 'exported', 'user', current_setting('motorpool.actor')::jsonb, customer.key_id, encrypt(
    gen_random_bytes(16) || convert_to(customer.columns::text, 'UTF8'),
    audit_key($1, customer.key_id, null, null, null, $2, $3, $4), 'aes')
  from (
    select audit_customer_key($1, $2, $3, $4) as key_id, jsonb_build_object(
      'customer_country_code', $2::text, 'customer_provider_code', $3::text, 'customer_id', $4::uuid) as columns
  ) customer`;
