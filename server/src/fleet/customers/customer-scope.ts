import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { type CustomerData, type CustomerKey, isCustomer } from '../customer-data.ts';
import type { customerParameters } from '../users/public.ts';

export function customerKey(
  provider: ProviderRef,
  parameters: Record<keyof typeof customerParameters, string>,
): CustomerKey {
  const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = parameters;
  return [
    provider.id,
    mobilityProviderCountryCode,
    mobilityProviderCode,
    requireUuid(customerId, 'customer'),
  ];
}

/** 404 unless something is kept of the customer. */
export async function requireCustomer(
  db: Queryable,
  data: readonly CustomerData[],
  customer: CustomerKey,
): Promise<void> {
  const references = data
    .flatMap(({ tables }) => tables)
    .map((table) => `exists (select from ${table} t where ${isCustomer('t')})`);
  const [row] = await db.query<{ known: boolean }>(
    `select ${references.join(' or ')} as known`,
    customer,
  );
  if (!row?.known) throw notFound('customer');
}
