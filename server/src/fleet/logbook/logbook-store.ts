import type { Queryable } from '../../platform/db/database.ts';
import { formats } from '../../platform/http/formats.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { blobsOf } from '../files/public.ts';
import { customerValues } from '../users/public.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { exampleEntry, type LogbookEntry, type LogbookEntryRequest } from './logbook-entry.ts';
import { entryOf, type LogbookRow } from './logbook-fields.ts';

/** The path parameters of every operation on one entry. */
export const entryParameters = {
  ...vehicleIdParameter,
  logbookEntryId: {
    description: 'The id of the entry, as the service made it.',
    example: exampleEntry.id,
  },
};

/** The key of an entry, as the values of $1, $2 and $3; an id that is no UUID names none. */
export function entryKey(
  provider: ProviderRef,
  { vehicleId, logbookEntryId }: Record<keyof typeof entryParameters, string>,
): string[] {
  if (!formats.uuid(logbookEntryId)) throw notFound('logbook entry');
  return [provider.id, vehicleId, logbookEntryId];
}

/** The entries of rows with their files, which are read all at once. */
export async function entriesOf(
  db: Queryable,
  provider: ProviderRef,
  rows: readonly LogbookRow[],
): Promise<LogbookEntry[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const files = await blobsOf(db, provider, 'logbook', ids);
  return rows.map((row) => {
    const blobs = files.get(row.id);
    return { ...entryOf(row), ...(blobs && { blobs }) };
  });
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
