import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { CustomerKey } from '../customer-data.ts';
import { eraseEvents } from './erase-events.ts';

const events = 20;
const records = 4;
const timeout = "do $$ begin raise exception 'too slow' using errcode = '57014'; end $$";

let service: TestService;
let customer: CustomerKey;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The first event of one record names the customer, the others of it do not. */
beforeEach(async () => {
  customer = ['DE-ABC', 'DE', 'MOB', randomUUID()];
  await service.db.query('delete from event_log');
  await service.db.query(
    `insert into event_log (provider, number, event_id, type, record_id, occurred_at, after)
     select 'DE-ABC', number, gen_random_uuid(), 'incident.updated.v1', 'record ' || number % $1, now(),
       json_build_object('customer_country_code', 'DE', 'customer_provider_code', 'MOB',
         'customer_id', case when number = 1 then $2::uuid end)
     from generate_series(1, $3) number`,
    [records, customer[3], events],
  );
});

/** Erases the events of the customer; tells the ranges of the statements, and fails those that `fails`. */
async function erase(fails: (from: number, to: number) => boolean) {
  const sent: { text: string; from: number; to: number }[] = [];
  await service.db.transaction((tx) => {
    const observed: Queryable = {
      ...tx,
      async query(text, values = [], budget) {
        if (text.includes('number <')) {
          const [from, to] = values.slice(-2) as [number, number];
          sent.push({ text, from, to });
          if (fails(from, to)) await tx.query(timeout);
        }
        return tx.query(text, values, budget);
      },
    };
    return eraseEvents(observed, customer);
  });
  return sent;
}

const erased = () =>
  service.db.query(
    `select record_id, count(*)::int as events from event_log where erased and after is null group by record_id`,
  );

test('where a range of the log meets the statement timeout, it is erased in smaller ones', async () => {
  const sent = await erase((from, to) => Math.min(to, events + 1) - from > 3);
  expect(await erased()).toEqual([{ record_id: 'record 1', events: events / records }]);
  const sizes = sent.map(({ from, to }) => to - from);
  const [first = 0, second] = sizes;
  expect(second).toBe(first / 2);
  // Three times: to name deletions, to find the records, and to erase their events.
  expect(sizes.filter((size) => size === first)).toHaveLength(3);
});

test('one event that meets it alone fails the erasure, which is retried', async () => {
  await expect(erase((from, to) => from <= 7 && 7 < to)).rejects.toThrow('too slow');
  expect(await erased()).toEqual([]);
});

test('the ids are looked up by a hash, also in the plan for any values', async () => {
  if (service.db.isSharded) return;
  const update = (await erase(() => false)).find(({ text }) => text.includes('erased = true'));
  const plan = await service.db.queryUnprepared<Record<string, string>>(
    `explain (generic_plan) ${update?.text}`,
  );
  const filter = plan.flatMap(Object.values).find((line) => line.includes('Filter'));
  expect(filter?.match(/hashed SubPlan/g)).toHaveLength(2);
  expect(filter).not.toContain('ANY ($5');
});

test('deletions that were recorded without their id are erased by what they tell, and no others', async () => {
  const [provider, country, code, id] = customer;
  await service.db.query('delete from event_log');
  const insertInto = (table: string, number: string, numbers: string) =>
    service.db.query(
      `insert into ${table} (provider, ${number}, event_id, type, record_id, occurred_at, before)
       select $1, ${numbers} + row_number() over (), gen_random_uuid(), type, '', now(), before from (values
         ('driver.deleted.v1', json_build_object('customer_country_code', $2::text, 'customer_provider_code', $3::text, 'customer_id', $4::uuid)),
         ('driver.deleted.v1', json_build_object('customer_country_code', $2::text, 'customer_provider_code', $3::text, 'customer_id', gen_random_uuid())),
         ('file.deleted.v1', json_build_object('owner', 'incidents', 'entry_id', 'record 1', 'uuid', '1', 'filename', 'licence.pdf')),
         ('file.deleted.v1', json_build_object('owner', 'incidents', 'entry_id', 'record 2', 'uuid', '2', 'filename', 'tyres.pdf'))
       ) deleted (type, before)`,
      [provider, country, code, id],
    );
  await service.db.query(
    `insert into event_log (provider, number, event_id, type, record_id, occurred_at, after)
     values ($1, 1, gen_random_uuid(), 'incident.created.v1', 'record 1', now(),
       json_build_object('customer_country_code', $2::text, 'customer_provider_code', $3::text, 'customer_id', $4::uuid))`,
    [provider, country, code, id],
  );
  await insertInto('event_log', 'number', '1');
  await insertInto('event_outbox', 'id', '-10');
  await erase(() => false);
  for (const table of ['event_log', 'event_outbox']) {
    const left = await service.db.queryUnprepared<{ type: string; file: string | null }>(
      `select type, before->>'filename' as file, before->>'customer_id' as driver from ${table} where before is not null order by type`,
    );
    expect(left).toEqual([
      { type: 'driver.deleted.v1', file: null, driver: expect.not.stringContaining(`${id}`) },
      { type: 'file.deleted.v1', file: 'tyres.pdf', driver: null },
    ]);
  }
});
