import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { customerValues } from '../users/public.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { exampleEntry, type LogbookEntryRequest } from './logbook-entry.ts';

/** The path parameters of every operation on one entry. */
export const entryParameters = {
  ...vehicleIdParameter,
  logbookEntryId: uuidParameter('The id of the logbook entry.', exampleEntry.id),
};

/** The key of an entry, as the values of $1, $2 and $3. */
export function entryKey(
  provider: ProviderRef,
  { vehicleId, logbookEntryId }: Record<keyof typeof entryParameters, string>,
): string[] {
  return [provider.id, vehicleId, requireUuid(logbookEntryId, 'logbook entry')];
}

/** The columns that a client writes, each with its type. */
export const writtenColumns = [
  ['date', 'date'],
  ['odometer', 'double precision'],
  ['category', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['cost_amount', 'bigint'],
  ['cost_currency', 'text'],
  ['customer_country_code', 'text'],
  ['customer_provider_code', 'text'],
  ['customer_id', 'uuid'],
  ['tags', 'text[]'],
] as const;

/** The values of those columns; what the request leaves out is cleared. */
export function writtenValues(request: LogbookEntryRequest): unknown[] {
  const { date, odometer, category = 'other', title, description, cost, customer, tags } = request;
  return [
    date,
    odometer ?? null,
    category,
    title,
    description ?? null,
    cost?.amount ?? null,
    cost?.currency ?? null,
    ...customerValues(customer),
    tags ?? [],
  ];
}
