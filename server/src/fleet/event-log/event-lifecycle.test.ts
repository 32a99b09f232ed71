import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleCustomer } from '../users/public.ts';
import { expireEvents, expireOf } from './expire-events.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', vehicle, {
    information: { vendor: 'VW', model: 'ID.3', evBatteryCapacity: 58 },
  });
});
afterAll(() => service.stop());

const vehicle = '/DE*ABC*L0001';

// biome-ignore lint/suspicious/noExplicitAny: events of every shape.
type Event = any;

async function eventsBehind(cursor: string | undefined, prefix: string): Promise<Event[]> {
  const { json } = await service.call('POST', '/events/search', {
    filters: [{ field: 'type', operator: 'startsWith', value: prefix }],
    pagination: { ...(cursor !== undefined && { cursor }), pageSize: 1_000 },
  });
  return json.items;
}

async function latest(): Promise<string> {
  const pagination = { cursor: 'latest' };
  return (await service.call('POST', '/events/search', { pagination })).json.pagination.cursor;
}

describe('a charging session that is detected', () => {
  const start = Date.now() - 6 * 3_600_000;
  const report = async (minute: number, signals: object) => {
    const timestamp = new Date(start + minute * 60_000).toISOString();
    const answer = await service.call('PUT', `${vehicle}/status`, { timestamp, ...signals });
    expect(answer.status).toBe(200);
  };

  test('makes an event at its start, at its end and with a later correction, and none while it grows', async () => {
    const from = await latest();
    const types = async () =>
      (await eventsBehind(from, 'charging-session.')).map(({ type, data }) => [
        type,
        data.resource.toSoC,
      ]);
    await report(0, { isCharging: true, stateOfCharge: 20 });
    expect(await types()).toEqual([['charging-session.created.v1', undefined]]);
    for (const minute of [5, 10, 15, 20])
      await report(minute, { isCharging: true, stateOfCharge: 20 + minute });
    expect(await types()).toHaveLength(1);
    await report(25, { isCharging: false, stateOfCharge: 45, odometer: 1_000 });
    await report(60, { isCharging: false, stateOfCharge: 44, odometer: 1_020 });
    const ended = await types();
    expect(ended.at(-1)).toEqual(['charging-session.updated.v1', expect.any(Number)]);
    await report(30, { isCharging: true, stateOfCharge: 48 });
    const corrected = await types();
    expect(corrected.length).toBe(ended.length + 1);
    const events = await eventsBehind(from, 'charging-session.');
    expect(events.at(-1)?.data.changed).toEqual(expect.arrayContaining(['toSoC']));
    expect(new Set(events.map(({ subject }) => subject)).size).toBe(1);
  });
});

test('the deletion of a record is told under the id of its creation, of every kind', async () => {
  const from = await latest();
  const { json: entry } = await service.call('POST', `${vehicle}/logbook`, {
    title: 'Toll',
    date: '2026-03-02',
    category: 'toll',
  });
  const files = `${vehicle}/blobs/logbook/${entry.id}`;
  const { json: file } = await service.call('POST', files, { filename: 'receipt.pdf' });
  await service.call('PUT', `${vehicle}/drivers`, exampleCustomer);
  const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = exampleCustomer;
  const driver = `${vehicle}/drivers/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}`;
  const paths = [`${files}/${file.uuid}`, driver, `${vehicle}/logbook/${entry.id}`];
  for (const path of paths) expect((await service.call('DELETE', path)).status).toBe(204);
  const subjectsOf = (events: Event[], change: string) =>
    events.filter(({ type }) => type.includes(`.${change}.`)).map(({ subject }) => subject);
  const events = await eventsBehind(from, '');
  expect(subjectsOf(events, 'deleted')).toEqual(paths);
  expect(subjectsOf(events, 'created')).toEqual(expect.arrayContaining(paths));
});

test('the erasure of a customer leaves the events of the records that named the customer, and nothing in them', async () => {
  const from = await latest();
  const named = { vehicleOperable: true, isResolved: false, title: 'Scraped by Erika Mustermann' };
  const { json: incident } = await service.call('POST', `${vehicle}/incidents`, {
    ...named,
    customer: exampleCustomer,
  });
  await service.call('POST', `${vehicle}/blobs/incidents/${incident.id}`, {
    filename: 'erika-mustermann.pdf',
  });
  await service.call('PUT', `${vehicle}/drivers`, exampleCustomer);
  // Some are numbered by then, and others are not.
  expect(await eventsBehind(from, 'incident.')).toHaveLength(1);
  await service.call('PUT', `${vehicle}/incidents/${incident.id}`, { ...named, notes: 'Erika' });
  await service.call('POST', `${vehicle}/incidents`, { ...named, title: 'Hail' });

  const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = exampleCustomer;
  const user = `/users/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}`;
  expect((await service.call('DELETE', user)).status).toBe(202);
  await service.runJobs();

  const events = await eventsBehind(from, '');
  const ofIncident = events.filter(({ subject }) => subject.includes(incident.id));
  expect(ofIncident.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['incident.created.v1', 'incident.updated.v1', 'file.created.v1']),
  );
  for (const { data } of ofIncident) expect(data).toEqual({ erased: true });
  expect(events.filter(({ data }) => data.resource?.title === 'Hail')).toHaveLength(1);
  expect(events.map(({ type }) => type)).toContain('driver.created.v1');
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${customerId}|erika`, 'i'));
  expect(JSON.stringify(await service.db.query('select * from event_outbox'))).not.toMatch(
    /erika/i,
  );
});

test('events expire from the oldest on, and a cursor before them is told so', async () => {
  const { json } = await service.call('POST', '/events/search', { pagination: { pageSize: 3 } });
  const [first, , third] = json.items;
  await service.db.query(
    `update event_log set occurred_at = now() - interval '8 days' where provider = 'DE-ABC' and number <= $1`,
    [Number(third.sequence)],
  );
  await expireOf(service.db, 'DE-ABC', new Date(Date.now() - 7 * 86_400_000));
  const search = (cursor: string) =>
    service.call('POST', '/events/search', { pagination: { cursor } });
  expect((await search(first.sequence)).status).toBe(410);
  expect((await search(third.sequence)).status).toBe(200);
  const { json: rest } = await service.call('POST', '/events/search', {});
  expect(Number(rest.items[0].sequence)).toBe(Number(third.sequence) + 1);
  await expireOf(service.db, 'DE-ABC', new Date(Date.now() + 60_000));
  expect(await eventsBehind(undefined, '')).toEqual([]);
});

test('a provider whose events cannot expire keeps nobody else’s from it', async () => {
  const { db } = service;
  const refusing: Database = {
    ...db,
    async query(text, values, budget) {
      if (values?.[0] === 'DE-ABC' && /event_log/.test(text))
        await db.query("do $$ begin raise exception 'refused'; end $$");
      return db.query(text, values, budget);
    },
  };
  const runJob = (db: Database) => expireEvents.run({}, { ...service.dependencies, db });
  const oldEvents = () => db.query(`select provider from event_log where record_id = 'old'`);
  for (const provider of ['DE-ABC', 'FR-XYZ']) {
    await db.query(
      `insert into event_sequences (provider, last_number) values ($1, 1000000)
       on conflict (provider) do update set last_number = excluded.last_number`,
      [provider],
    );
    await db.query(
      `insert into event_log (provider, number, event_id, type, record_id, occurred_at)
       values ($1, 1000000, gen_random_uuid(), 'vehicle.updated.v1', 'old', now() - interval '8 days')`,
      [provider],
    );
  }
  await db.query(
    `insert into status_changes (provider, vehicle_id, changed_at) select provider, 'DE*ABC*L0001', now() - interval '2 hours' from unnest(array['DE-ABC', 'DE-GONE']) provider`,
  );
  await expect(runJob(refusing)).rejects.toMatchObject({
    message: 'Some events could not be removed.',
    errors: [expect.objectContaining({ message: 'refused' })],
  });
  expect(await oldEvents()).toEqual([{ provider: 'DE-ABC' }]);
  expect(await db.query('select from status_changes')).toEqual([]);
  await runJob(db);
  expect(await oldEvents()).toEqual([]);
});
