import type { Queryable } from '../../platform/db/database.ts';
import type { Customer } from '../users/public.ts';

/**
 * Makes what the trail says of a customer unreadable, and all texts of records that have named the customer. Comes last
 * in the transaction of an erasure, whose own changes are recorded with the keys.
 */
export async function eraseCustomerKeys(
  tx: Queryable,
  providerId: string,
  { mobilityProviderCountryCode, mobilityProviderCode, customerId }: Customer,
): Promise<void> {
  await tx.query(
    `with of_customer as (
       delete from audit_key_customers where provider = $1
         and customer_country_code = $2 and customer_provider_code = $3 and customer_id = $4
       returning key_id
     )
     delete from audit_keys k using of_customer where k.provider = $1 and k.id = of_customer.key_id`,
    [providerId, mobilityProviderCountryCode, mobilityProviderCode, customerId],
  );
}
