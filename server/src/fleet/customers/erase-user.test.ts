import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockWaits } from '../../testing/lock-waits.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { AuditEvent } from '../audit/public.ts';
import { operations } from '../index.ts';
import { type Customer, exampleCustomer } from '../users/public.ts';
import { maxPendingErasures } from './erasure-store.ts';

/** A name that stands in every text that may describe a person. */
const name = 'Erika Mustermann';
const vehicle = '/DE*ABC*T0000';
const [addedAt, erasedAt] = ['2026-03-01T12:00:00.000Z', '2026-03-05T12:00:00.000Z'];

let service: TestService;
let now = new Date(addedAt);
let customer: Customer;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await makeFleet(service.db, 'DE', 'ABC', 2);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());
beforeEach(() => {
  now = new Date(addedAt);
  customer = { ...exampleCustomer, customerId: randomUUID() };
});

const pathOf = (one: Customer) =>
  `/users/${one.mobilityProviderCountryCode}/${one.mobilityProviderCode}/${one.customerId}`;
const post = async (path: string, body: object) => (await service.call('POST', path, body)).json;
const get = async (path: string) => (await service.call('GET', path)).json;

/** A record of each kind that names the customer, each with a file. */
async function createRecords(one: Customer) {
  await service.call('PUT', `${vehicle}/drivers`, one);
  const paths: Record<'incidents' | 'logbook' | 'checklist', string> = {
    incidents: '',
    logbook: '',
    checklist: '',
  };
  const bodies = {
    incidents: {
      title: `Accident of ${name}`,
      vehicleOperable: false,
      isResolved: false,
      incidentType: 'parking',
      incidentTimestamp: addedAt,
      location: `At the house of ${name}`,
      cause: `${name} slept`,
      notes: `Call ${name}`,
      description: `${name} saw nothing`,
      damages: [
        {
          title: `Where ${name} hit it`,
          damageType: 'dent',
          severity: 'high',
          repaired: false,
          position: 'antenna',
        },
      ],
    },
    logbook: {
      title: `Fine of ${name}`,
      description: `${name} drove too fast`,
      date: '2026-03-02',
      odometer: 1_234,
      category: 'fine',
      cost: { amount: 3_000, currency: 'EUR' },
      tags: [name],
    },
    checklist: {
      title: 'Who checked the tyres?',
      type: 'text',
      value: name,
      comment: `${name} was here`,
      result: 'pass',
      performedAt: addedAt,
    },
  };
  for (const kind of ['incidents', 'logbook', 'checklist'] as const) {
    const { id } = await post(`${vehicle}/${kind}`, { ...bodies[kind], customer: one });
    await post(`${vehicle}/blobs/${kind}/${id}`, { filename: `licence of ${name}.PDF` });
    await post(`${vehicle}/blobs/${kind}/${id}`, { filename: `for.${name}` });
    const { uuid } = await post(`${vehicle}/blobs/${kind}/${id}`, { filename: `of ${name}.png` });
    await service.call('DELETE', `${vehicle}/blobs/${kind}/${id}/${uuid}`);
    paths[kind] = `${vehicle}/${kind}/${id}`;
  }
  return paths;
}

async function erase(one: Customer) {
  now = new Date(erasedAt);
  const answer = await service.call('DELETE', pathOf(one));
  await service.runJobs();
  return answer;
}

/** The tables, those of the jobs included, in which a text is found. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.owner.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const statement = `select from ${name} t where t::text ilike '%' || $1 || '%' limit 1`;
    if ((await service.owner.queryUnprepared(statement, [text])).length > 0) found.push(name);
  }
  return found;
}

const auditEvents = async (filters: object[]): Promise<AuditEvent[]> =>
  (await post('/audit/search', { filters, pagination: { pageSize: 1_000 } })).items;

test('the history of the vehicle stands without the person', async () => {
  const paths = await createRecords(customer);
  now = new Date('2026-03-03T12:00:00.000Z');
  await service.call('DELETE', `${vehicle}/drivers/DE/MOB/${customer.customerId}`);
  await service.call('PUT', `${vehicle}/drivers`, customer);
  const etag = (await service.call('GET', paths.logbook)).headers.etag;

  const { status, json, headers } = await erase(customer);
  expect([status, json]).toEqual([
    202,
    {
      id: json.id,
      status: 'pending',
      requestedAt: erasedAt,
      erasedRecords: 0,
      erasesPositions: false,
    },
  ]);
  expect(headers.location).toBe(`/api/fleets/v1/DE/ABC/users/erasures/${json.id}`);
  expect(await get(`/users/erasures/${json.id}`)).toEqual({
    id: json.id,
    status: 'completed',
    requestedAt: erasedAt,
    completedAt: erasedAt,
    // Two assignments, one of which was open and is closed first.
    erasedRecords: 5,
    erasesPositions: false,
  });

  expect((await get(`${vehicle}/drivers`)).items).toEqual([]);
  expect((await post(`${vehicle}/assignments`, {})).items).toEqual([
    { addedAt: '2026-03-03T12:00:00.000Z', removedAt: erasedAt },
    { addedAt, removedAt: '2026-03-03T12:00:00.000Z' },
  ]);
  const uuid = expect.any(String);
  const blobs = [
    { uuid, filename: 'file.pdf', uploaded: false },
    { uuid, filename: 'file', uploaded: false },
  ];
  expect(await get(paths.incidents)).toEqual({
    id: paths.incidents.split('/').at(-1),
    ocrStatus: 'MANUAL',
    title: 'Incident',
    vehicleOperable: false,
    isResolved: false,
    incidentType: 'parking',
    incidentTimestamp: addedAt,
    reportTimestamp: addedAt,
    blobs,
    damages: [
      {
        title: 'dent',
        damageType: 'dent',
        severity: 'high',
        repaired: false,
        position: 'antenna',
      },
    ],
  });
  const times = { createdAt: addedAt, updatedAt: erasedAt };
  expect(await get(paths.logbook)).toEqual({
    id: paths.logbook.split('/').at(-1),
    title: 'fine',
    date: '2026-03-02',
    odometer: 1_234,
    category: 'fine',
    cost: { amount: 3_000, currency: 'EUR' },
    blobs,
    ...times,
  });
  expect(await get(paths.checklist)).toMatchObject({
    title: 'Who checked the tyres?',
    type: 'text',
    result: 'pass',
    performedAt: addedAt,
    blobs,
    ...times,
  });
  expect((await service.call('GET', paths.logbook)).headers.etag).not.toBe(etag);
});

test('nothing in the database names the customer afterwards, nor the person', async () => {
  await createRecords(customer);
  await service.call('GET', `${pathOf(customer)}/export`);
  // It would tell whoever knows the customer.
  const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = customer;
  const [{ hash = '' } = {}] = await service.db.query<{ hash: string }>(
    `select md5(concat_ws('*', $1::text, $2::text, $3::text))::uuid::text as hash`,
    [mobilityProviderCountryCode, mobilityProviderCode, customerId],
  );
  expect(await tablesWith(customer.customerId)).toEqual(
    expect.arrayContaining(['drivers', 'incidents', 'logbook_entries', 'checklist_entries']),
  );
  expect(await tablesWith('Mustermann')).toContain('blobs');
  await erase(customer);
  expect(await tablesWith(customer.customerId)).toEqual([]);
  expect(await tablesWith(hash)).toEqual([]);
  expect(await tablesWith('Mustermann')).toEqual([]);
  expect((await service.call('GET', pathOf(customer))).status).toBe(404);
});

test('what is added to a record while it is being erased is erased as well', async () => {
  const paths = await createRecords(customer);
  const incidentId = paths.incidents.split('/').at(-1);
  await service.call('DELETE', pathOf(customer));
  let erasing: Promise<unknown> = Promise.resolve();
  await service.db.transaction(async (tx) => {
    await tx.query(
      `select from incidents where provider = 'DE-ABC' and id = $1 for no key update`,
      [incidentId],
    );
    const [file] = await tx.query<{ uuid: string }>(
      `insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, created_at)
       values ('DE-ABC', 'DE*ABC*T0000', 'incidents', $1, $2, 'image/png', now()) returning uuid`,
      [incidentId, `licence of ${name}.png`],
    );
    await tx.query(
      `insert into incident_documents (provider, vehicle_id, incident_id, blob_uuid, source, page_count, page_texts, suggestions, read_at)
       values ('DE-ABC', 'DE*ABC*T0000', $1, $2, 'text-layer', 1, $3, '[]', now())`,
      [incidentId, file?.uuid, [`Driver: ${name}`]],
    );
    erasing = service.runJobs();
    await expect.poll(() => lockWaits(service.db), { timeout: 10_000 }).toBeGreaterThan(0);
  });
  await erasing;
  expect(await tablesWith('Mustermann')).toEqual([]);
});

test('calls while it is pending join it, and a second erasure finds nobody', async () => {
  await createRecords(customer);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => service.call('DELETE', pathOf(customer))),
  );
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  await service.runJobs();
  expect((await service.call('DELETE', pathOf(customer))).status).toBe(404);
  expect((await service.call('GET', `/users/erasures/${randomUUID()}`)).status).toBe(404);
});

test('so many may be pending, to which calls are joined, and one more is refused until some are completed', async () => {
  const other = { ...customer, customerId: randomUUID() };
  for (const driver of [customer, other]) await service.call('PUT', `${vehicle}/drivers`, driver);
  const erase = (one: Customer) => service.call('DELETE', pathOf(one));
  expect((await erase(customer)).status).toBe(202);
  await service.db.query(
    `insert into customer_erasures (provider, customer_country_code, customer_provider_code, customer_id, requested_at)
     select 'DE-ABC', 'DE', 'MOB', gen_random_uuid(), now() from generate_series(2, $1)`,
    [maxPendingErasures],
  );
  expect((await erase(customer)).status).toBe(202);
  const refused = await erase(other);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
  await service.runJobs();
  expect((await erase(other)).status).toBe(202);
  await service.runJobs();
  await service.db.query(
    `delete from customer_erasures where provider = 'DE-ABC' and completed_at is null`,
  );
});

test('a log of any length is erased: all events of a record that one of them names the customer of', async () => {
  await createRecords(customer);
  await service.runJobs();
  // The first event of a record names the customer, those after it do not.
  await service.db.query(
    `insert into event_log (provider, number, event_id, type, record_id, occurred_at, after)
     select 'DE-ABC', number, gen_random_uuid(), 'incident.updated.v1', 'record ' || number / 1000 % 5, now(),
       json_build_object('title', 'of Mustermann', 'customer_country_code', 'DE', 'customer_provider_code', 'MOB',
         'customer_id', case when number = 1000000 then $1::uuid end)
     from generate_series(1000000, 1120000, 1000) number`,
    [customer.customerId],
  );
  await erase(customer);
  const [left] = await service.db.query<{ erased: number; others: number }>(
    `select count(*) filter (where erased and after is null)::int as erased,
       count(*) filter (where not erased and after is not null)::int as others
     from event_log where number >= 1000000`,
  );
  expect(left).toEqual({ erased: 25, others: 96 });
  await service.db.query('delete from event_log where number >= 1000000');
});

test('many records are erased in batches', async () => {
  await service.db.query(
    `insert into logbook_entries (provider, vehicle_id, date, category, title, created_at, updated_at,
       customer_country_code, customer_provider_code, customer_id)
     select 'DE-ABC', 'DE*ABC*T0000', '2026-01-01', 'fuel', 'x', now(), now(), 'DE', 'MOB', $1 from generate_series(1, 1100)`,
    [customer.customerId],
  );
  const { json } = await service.call('DELETE', pathOf(customer));
  // Two full batches, the rest, and the end.
  expect(await service.runJobs()).toBe(4);
  expect(await get(`/users/erasures/${json.id}`)).toMatchObject({
    status: 'completed',
    erasedRecords: 1_100,
  });
  expect(await tablesWith(customer.customerId)).toEqual([]);
});

test('an erasure ends, however often others name the customer anew', async () => {
  const { customerId } = customer;
  const insert = `insert into logbook_entries (provider, vehicle_id, date, category, title, created_at, updated_at,
    customer_country_code, customer_provider_code, customer_id)
    values ('DE-ABC', 'DE*ABC*T0000', '2026-01-01', 'fuel', 'x', now(), now(), 'DE', 'MOB', '${customerId}')`;
  await service.db.query(insert);
  await service.owner.query(
    `create function name_anew() returns trigger language plpgsql as $$
     begin
       if new.erased_count between 1 and 20 then ${insert}; end if;
       return null;
     end $$`,
  );
  await service.owner.query(
    'create trigger name_anew after update on customer_erasures for each row execute function name_anew()',
  );
  try {
    const { json } = await service.call('DELETE', pathOf(customer));
    // The batches that are not full, and the end.
    expect(await service.runJobs()).toBe(11);
    expect(await get(`/users/erasures/${json.id}`)).toMatchObject({ status: 'completed' });
    expect(
      await service.db.query('select from event_log where after->>$1 = $2', [
        'customer_id',
        customerId,
      ]),
    ).toEqual([]);
  } finally {
    await service.owner.query('drop function name_anew cascade');
  }
  await service.db.query('delete from logbook_entries where customer_id = $1', [customerId]);
});

test('other customers, and the same one of another provider, stay as they are', async () => {
  const other = { ...exampleCustomer, customerId: randomUUID() };
  await createRecords(customer);
  await createRecords(other);
  await service.db.query(
    `insert into drivers values ('FR-XYZ', 'FR*XYZ*T0000', 'DE', 'MOB', $1, now())`,
    [customer.customerId],
  );
  const path = pathOf(other).replace('/users', `${vehicle}/drivers`);
  await service.call('DELETE', path);
  const before = await get(pathOf(other));
  await erase(customer);
  expect(await get(pathOf(other))).toEqual(before);
  const { items } = await post('/events/search', {
    filters: [{ field: 'type', value: 'driver.deleted.v1' }],
    pagination: { pageSize: 1_000 },
  });
  expect(items.filter(({ subject }: { subject: string }) => subject === path)).toMatchObject([
    { data: { resource: other } },
  ]);
  const rows = await service.db.query('select from drivers where customer_id = $1', [
    customer.customerId,
  ]);
  expect(rows).toHaveLength(1);
  await service.db.query('delete from drivers where customer_id = $1', [customer.customerId]);
  await erase(other);
});

test('the events of an erasure tell when it was asked for and completed, and nothing of whom', async () => {
  await createRecords(customer);
  const [before] = await service.db.query<{ at: Date }>('select clock_timestamp() as at');
  const { json: pending } = await service.call('DELETE', pathOf(customer));
  await service.runJobs();
  const { items } = await post('/events/search', {
    filters: [
      { field: 'type', operator: 'startsWith', value: 'user-erasure.' },
      { field: 'time', operator: 'gte', value: before?.at },
    ],
  });
  expect(items).toMatchObject([
    { type: 'user-erasure.created.v1', data: { resource: pending } },
    { type: 'user-erasure.updated.v1', data: { resource: { status: 'pending' } } },
    { data: { resource: await get(`/users/erasures/${pending.id}`) } },
  ]);
});

describe('the audit trail', () => {
  test('has who erased what, and nothing of whom', async () => {
    await createRecords(customer);
    const { json } = await erase(customer);
    const events = await auditEvents([{ field: 'operation', value: 'eraseUser' }]);
    const ofErasure = events.filter(({ recordId }) => recordId === json.id);
    expect(ofErasure.map(({ action, erased }) => ({ action, erased }))).toEqual([
      { action: 'changed', erased: true },
      { action: 'changed', erased: undefined },
      { action: 'created', erased: true },
    ]);
    expect(ofErasure[0]?.changes.completedAt).toEqual({ after: expect.any(String) });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['driver', 'incident', 'logbook-entry', 'checklist-entry']),
    );
    for (const { actor } of events) expect(actor.clientId).toBe('demo-client');
    const readable = JSON.stringify(await auditEvents([]));
    expect(readable).not.toContain(customer.customerId);
    expect(readable).not.toContain('Mustermann');
  });
});

describe('the export', () => {
  test('has every record of the customer, and is recorded', async () => {
    await createRecords(customer);
    for (let day = 1; day <= 28; day++) {
      const date = `2026-02-${String(day).padStart(2, '0')}`;
      await post(`${vehicle}/logbook`, { title: 'Fuel', date, customer });
    }
    const requestId = randomUUID();
    const { status, json } = await service.call('GET', `${pathOf(customer)}/export`, undefined, {
      'x-request-id': requestId,
    });
    expect(status).toBe(200);
    const view = await get(pathOf(customer));
    expect(json).toEqual({
      exportedAt: addedAt,
      ...view,
      logbook: { totalEntries: 29, items: expect.arrayContaining(view.logbook.items) },
    });
    expect(json.logbook.items).toHaveLength(29);
    expect(await auditEvents([{ field: 'requestId', value: requestId }])).toMatchObject([
      {
        action: 'exported',
        type: 'user',
        operation: 'exportUser',
        changes: { customerId: { after: customer.customerId } },
      },
    ]);
    await erase(customer);
    expect(await auditEvents([{ field: 'requestId', value: requestId }])).toMatchObject([
      { action: 'exported', changes: {}, erased: true },
    ]);
    expect(await tablesWith(customer.customerId)).toEqual([]);
  });

  test('of nobody is 404, and leaves no event', async () => {
    const count = async () => (await auditEvents([{ field: 'action', value: 'exported' }])).length;
    const before = await count();
    expect((await service.call('GET', `${pathOf(customer)}/export`)).status).toBe(404);
    expect(await count()).toBe(before);
  });
});

test('no log has the id of a customer, whoever asks and whatever is answered', async () => {
  const { customerId } = customer;
  await service.call('PUT', `${vehicle}/drivers`, customer);
  const paths = operations.map(({ path }) => path).filter((path) => path.includes('{customerId}'));
  expect(paths.length).toBeGreaterThan(2);
  for (const template of paths) {
    const path = template
      .replace('{vehicleId}', 'DE*ABC*T0000')
      .replace('{customerId}', customerId)
      .replaceAll(/{\w+}/g, 'DE');
    const written = [
      path,
      path
        .replace(/users|drivers/, '%$&')
        .replace(/%./, (one) => `%${one.charCodeAt(1).toString(16)}`),
      path.replace(/users|drivers/, '$&/'),
      path.replace(`/${customerId}`, `%2F${customerId}`),
      path.replace(customerId, `%${customerId.charCodeAt(0).toString(16)}${customerId.slice(1)}`),
      path.replace('/DE/', '/DE/A%2FB/'),
      path.replace('/DE/', '/%C3/'),
      path.replace(/users|drivers/, 'users%2FDE%2FMOB%2F$&'),
      `${path}%`,
      path.replace(/users|drivers/, (name) => name.toUpperCase()),
      path.replace(/users|drivers/, (name) => name.slice(0, -1)),
      path.replace(/users|drivers/, '$&;x'),
      path
        .replace(/users|drivers/, '$&/x')
        .replace('-', '%2d')
        .concat('%zz'),
    ];
    for (const one of written)
      for (const method of ['GET', 'OPTIONS', 'DELETE'])
        await service.send({ method, path: `/api/fleets/v1/DE/ABC${one}` });
  }
  await service.call('GET', pathOf(customer));
  await service.call('DELETE', pathOf(customer));
  await service.runJobs();
  const log = service.log.join('');
  expect(log).toContain('/api/fleets/v1/DE/ABC/users/DE/MOB/{customerId}"');
  expect(log).toContain('/DE*ABC*T0000/drivers/DE/DE/{customerId}"');
  expect(log).not.toContain(customerId);
});
