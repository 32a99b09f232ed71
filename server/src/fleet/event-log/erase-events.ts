import type { Queryable } from '../../platform/db/database.ts';
import { lockSequence } from '../../platform/event-log/sequence-events.ts';
import type { CustomerKey } from '../customer-data.ts';

// Of the log that a statement reads: no length of it meets the statement timeout.
const rangeSize = 50_000;

/**
 * Removes the records from all events of records that have named the customer, and from those of their files. Comes last in
 * the transaction of an erasure, before the keys of the audit trail go, which tell which records these are.
 */
export async function eraseEvents(tx: Queryable, customer: CustomerKey): Promise<void> {
  // No event moves from one table to the other meanwhile.
  await tx.query(lockSequence, [customer[0]]);
  const ids = new Set<string>();
  const addIds = (rows: { record_id: string }[]) => {
    for (const { record_id } of rows) ids.add(record_id);
  };
  addIds(await tx.query(selectKnown, customer));
  const ranges = await rangesOfLog(tx, customer);
  for (const range of ranges) addIds(await tx.query(selectNamed, [...customer, ...range]));
  await tx.query(eraseFrom('event_outbox'), [...customer, [...ids]]);
  for (const range of ranges)
    await tx.query(`${eraseFrom('event_log')} ${inRange(6)}`, [...customer, [...ids], ...range]);
}

async function rangesOfLog(tx: Queryable, [provider]: CustomerKey): Promise<[number, number][]> {
  const [log] = await tx.query<{ first: number | null; last: number }>(
    'select min(number) as first, max(number) as last from event_log where provider = $1',
    [provider],
  );
  const ranges: [number, number][] = [];
  for (let from = log?.first ?? Infinity; from <= (log?.last ?? 0); from += rangeSize)
    ranges.push([from, from + rangeSize]);
  return ranges;
}

const inRange = (first: number) => `and number >= $${first} and number < $${first + 1}`;

// Most events do not have the id, which is found in their text without parsing it.
const names = (image: string) => `(strpos(${image}::text, $4::uuid::text) > 0
  and ${image}::jsonb @> jsonb_build_object(
    'customer_country_code', $2::text, 'customer_provider_code', $3::text, 'customer_id', $4::uuid))`;

const selectKnown = `
  select key_id::text as record_id from audit_key_customers
  where provider = $1 and customer_country_code = $2 and customer_provider_code = $3 and customer_id = $4::uuid
  union select record_id from event_outbox where provider = $1 and (${names('before')} or ${names('after')})`;

const selectNamed = `
  select distinct record_id from event_log
  where provider = $1 and (${names('before')} or ${names('after')}) ${inRange(5)}`;

// An event of the outbox is read as erased once neither state is left. That of a driver is named after the customer.
const eraseFrom = (table: string) => `
  update ${table} set before = null, after = null,
    ${table === 'event_log' ? 'erased = true,' : ''}
    record_id = case when type like 'driver.%' then '' else record_id end
  where provider = $1 and (
    record_id = any($5::text[]) or concat_ws('/', $2::text, $3::text, $4::text) = record_id
    or (type like 'file.%' and split_part(record_id, '/', 2) = any($5::text[])))`;
