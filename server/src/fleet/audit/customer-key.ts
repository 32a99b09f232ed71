import type { Queryable } from '../../platform/db/database.ts';
import type { Customer } from '../users/public.ts';

/**
 * Makes what the trail says of a customer unreadable. Comes last in the transaction of an erasure, whose own changes
 * are recorded with the key.
 */
export async function eraseCustomerKey(
  tx: Queryable,
  providerId: string,
  { mobilityProviderCountryCode, mobilityProviderCode, customerId }: Customer,
): Promise<void> {
  await tx.query(
    `delete from customer_keys where provider = $1
     and customer_country_code = $2 and customer_provider_code = $3 and customer_id = $4`,
    [providerId, mobilityProviderCountryCode, mobilityProviderCode, customerId],
  );
}
