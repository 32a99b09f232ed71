import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import { isTimeout } from '../../platform/db/statement-timeout.ts';
import { lockSequence } from '../../platform/event-log/sequence-events.ts';
import { rollBackFailure } from '../../platform/jobs/run-for-most.ts';
import type { CustomerKey } from '../customer-data.ts';

// Of the log that a statement reads, so that no length of it meets the statement timeout; large events may nevertheless.
const rangeSize = 50_000;
const sliceSize = 10_000;

/**
 * Removes the records from all events of records that have named the customer, and from those of their files. Comes last in
 * the transaction of an erasure, before the keys of the audit trail go, which tell which records these are.
 */
export async function eraseEvents(tx: Queryable, customer: CustomerKey): Promise<void> {
  // No event moves from one table to the other meanwhile.
  await tx.query(lockSequence, [customer[0]]);
  const ids = new Set<string>();
  const addIds = async (rows: readonly { record_id: string }[]) => {
    for await (const some of slicesOf(rows)) for (const { record_id } of some) ids.add(record_id);
  };
  await tx.query(nameDeleted('event_outbox'), [customer[0]]);
  await addIds(await tx.query(selectKnown, customer));
  await overLog(tx, customer, async (...range) => {
    await tx.query(`${nameDeleted('event_log')} ${inRange(2)}`, [customer[0], ...range]);
  });
  await overLog(tx, customer, async (...range) =>
    addIds(await tx.query(selectNamed, [...customer, ...range])),
  );
  const known = [...ids];
  for await (const some of slicesOf(known))
    await tx.query(eraseFrom('event_outbox'), [...customer, some]);
  await tx.query(unname('event_outbox'), customer);
  await overLog(tx, customer, async (...range) => {
    for await (const some of slicesOf(known))
      await tx.query(`${eraseFrom('event_log')} ${inRange(6)}`, [...customer, some, ...range]);
    await tx.query(`${unname('event_log')} ${inRange(5)}`, [...customer, ...range]);
  });
}

/** Others are served between slices of what may be very many; there is one of none. */
async function* slicesOf<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  for (let from = 0; from === 0 || from < items.length; from += sliceSize) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + sliceSize);
  }
}

/** Runs a statement for the log in ranges, which are halved where one meets the statement timeout. */
async function overLog(
  tx: Queryable,
  [provider]: CustomerKey,
  run: (from: number, to: number) => Promise<void>,
): Promise<void> {
  const [log] = await tx.query<{ first: number | null; last: number }>(
    'select min(number) as first, max(number) as last from event_log where provider = $1',
    [provider],
  );
  let size = rangeSize;
  for (let from = log?.first ?? Infinity; from <= (log?.last ?? 0); ) {
    try {
      const error = await rollBackFailure(tx, () => run(from, from + size));
      if (error !== undefined) throw error;
      from += size;
    } catch (error) {
      if (!isTimeout(error) || size === 1) throw error;
      size = Math.ceil(size / 2);
    }
  }
}

// Deletions of files and drivers that were recorded before migration 046 have no id. A distributed database takes no
// stable function, such as concat_ws, within a case.
const nameDeleted = (table: string) => `
  update ${table} set record_id = case
    when type = 'file.deleted.v1' then (before->>'owner') || '/' || (before->>'entry_id') || '/' || (before->>'uuid')
    else (before->>'customer_country_code') || '/' || (before->>'customer_provider_code') || '/' || (before->>'customer_id') end
  where provider = $1 and record_id = '' and before is not null`;

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

// Not `any`: the generic plan of a prepared statement compares each event with all ids, one after the other.
const isKnown = 'in (select unnest($5::text[]))';

const ofErasures = 'user-erasure.%';

const withoutCustomer = (image: string) =>
  `(${image}::jsonb - '{customer_country_code,customer_provider_code,customer_id}'::text[])::json`;

/** The events of erasures are not about a person once they name nobody. */
const unname = (table: string) => `
  update ${table} set before = ${withoutCustomer('before')}, after = ${withoutCustomer('after')}
  where provider = $1 and type like '${ofErasures}' and (${names('before')} or ${names('after')})`;

// An event of the outbox is read as erased once neither state is left. That of a driver is named after the customer.
const eraseFrom = (table: string) => `
  update ${table} set before = null, after = null,
    ${table === 'event_log' ? 'erased = true,' : ''}
    record_id = case when type like 'driver.%' then '' else record_id end
  where provider = $1 and type not like '${ofErasures}' and (
    record_id ${isKnown} or concat_ws('/', $2::text, $3::text, $4::text) = record_id
    or (type like 'file.%' and split_part(record_id, '/', 2) ${isKnown}))`;
