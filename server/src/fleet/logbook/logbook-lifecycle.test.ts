import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { deleteReleasedBytes } from '../../testing/uploads.ts';
import { categories, exampleRequest } from './logbook-entry.ts';

let service: TestService;
const logbook = '/DE*ABC*T0000/logbook';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const minimal = { date: '2026-10-28', title: 'Washed' };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await makeFleet(service.db, 'DE', 'ABC', 2);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});

async function create(body: object = exampleRequest) {
  const answer = await service.call('POST', logbook, body);
  return { ...answer, path: `${logbook}/${answer.json.id}` };
}

test('an entry is made (201, Location), read, overwritten (200), deleted (204), and then gone (404)', async () => {
  const made = await create();
  expect(made.status).toBe(201);
  expect(made.json).toEqual({
    ...exampleRequest,
    id: expect.stringMatching(uuid),
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: made.json.createdAt,
  });
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC${made.path}`);
  const authorization = `Bearer ${await service.token()}`;
  const located = await service.send({
    path: String(made.headers.location),
    headers: { authorization },
  });
  expect(located.json).toEqual(made.json);

  const changed = { ...exampleRequest, title: 'Twice', odometer: 44_870.5, tags: ['b', 'a', 'c'] };
  const overwritten = await service.call('PUT', made.path, changed);
  expect(overwritten.status).toBe(200);
  expect(overwritten.json).toEqual({
    ...made.json,
    ...changed,
    updatedAt: overwritten.json.updatedAt,
  });
  expect(overwritten.json.updatedAt >= made.json.updatedAt).toBe(true);
  expect((await service.call('GET', made.path)).json).toEqual(overwritten.json);

  expect((await service.call('DELETE', made.path)).status).toBe(204);
  for (const method of ['DELETE', 'GET']) {
    expect((await service.call(method, made.path)).status).toBe(404);
  }
  expect((await service.call('PUT', made.path, minimal)).status).toBe(404);
});

test('an overwrite clears what it leaves out, and the category falls back to other', async () => {
  const { path, json } = await create();
  const { id, createdAt } = json;
  const { json: overwritten } = await service.call('PUT', path, minimal);
  const { updatedAt } = overwritten;
  expect(overwritten).toEqual({ id, createdAt, updatedAt, category: 'other', ...minimal });
  expect((await service.call('GET', path)).json).toEqual(overwritten);
  expect((await create(minimal)).json.category).toBe('other');
});

test('what was read can be sent back as it is; id, times and files are ignored', async () => {
  const { path, json } = await create();
  const back = {
    ...json,
    id: 'x',
    createdAt: 'yesterday',
    updatedAt: '',
    blobs: [{ uuid: 1 }],
  };
  for (const body of [json, back]) {
    const answer = await service.call('PUT', path, body);
    expect(answer.json).toEqual({ ...json, updatedAt: answer.json.updatedAt });
  }
  expect((await service.call('POST', logbook, back)).json.id).not.toBe('x');
});

test('every value comes back as it was sent, at the ends of its range as well', async () => {
  for (const values of [
    { cost: { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' } },
    { cost: { amount: Number.MIN_SAFE_INTEGER, currency: 'JPY' } },
    { cost: { amount: 0, currency: 'XAF' } },
    { odometer: 0 },
    { odometer: 1_234_567.125 },
    { date: '0001-01-01' },
    { date: '9999-12-31' },
    { date: '2024-02-29' },
    { title: '🚗'.repeat(200), description: `${'ä'.repeat(9_998)}\n"` },
    { description: '' },
    { tags: Array.from({ length: 50 }, (_, index) => `${99 - index}${'ß'.repeat(48)}`) },
    { tags: ['b', 'B', 'a b', '{', ',', '"', 'null', '\\'] },
    ...categories.map((category) => ({ category })),
  ]) {
    const body = { ...minimal, ...values };
    const { status, json, path } = await create(body);
    expect(status, JSON.stringify(values).slice(0, 60)).toBe(201);
    expect(json).toMatchObject(body);
    expect((await service.call('GET', path)).json).toEqual(json);
  }
});

test('a missing or impossible value, or null for a required one, is refused and named, and nothing is written', async () => {
  const issues: [object, string, string?][] = [
    [{ title: 'x' }, '/date', 'required'],
    [{ date: '2026-10-28' }, '/title', 'required'],
    [{ ...minimal, date: '2026-02-29' }, '/date', 'calendar date'],
    [{ ...minimal, date: '2026-10-28T00:00:00Z' }, '/date', 'calendar date'],
    [{ ...minimal, date: null }, '/date'],
    [{ ...minimal, title: '' }, '/title', '1 to 200'],
    [{ ...minimal, title: 'x'.repeat(201) }, '/title', '1 to 200'],
    [{ ...minimal, title: 7 }, '/title', 'a string'],
    [{ ...minimal, description: 'x'.repeat(10_001) }, '/description', 'at most 10000'],
    [{ ...minimal, odometer: -1 }, '/odometer', 'at least 0'],
    [{ ...minimal, odometer: '12' }, '/odometer', 'a number'],
    [{ ...minimal, category: 'Fuel' }, '/category', 'fuel, charging'],
    [{ ...minimal, cost: { amount: 1 } }, '/cost/currency', 'required'],
    [{ ...minimal, cost: { currency: 'EUR' } }, '/cost/amount', 'required'],
    [{ ...minimal, cost: { amount: 1.5, currency: 'EUR' } }, '/cost/amount', 'an integer'],
    [{ ...minimal, cost: { amount: '1', currency: 'EUR' } }, '/cost/amount', 'an integer'],
    [
      { ...minimal, cost: { amount: Number.MAX_SAFE_INTEGER + 1, currency: 'EUR' } },
      '/cost/amount',
      'to 9007199254740991',
    ],
    [
      { ...minimal, cost: { amount: Number.MIN_SAFE_INTEGER - 1, currency: 'EUR' } },
      '/cost/amount',
      '-9007199254740991',
    ],
    [{ ...minimal, cost: { amount: 1, currency: 'eur' } }, '/cost/currency', 'capital letters'],
    [{ ...minimal, cost: { amount: 1, currency: 'EURO' } }, '/cost/currency', 'capital letters'],
    [{ ...minimal, cost: { amount: 1, currency: 'QQQ' } }, '/cost/currency', 'QQQ'],
    [{ ...minimal, customer: {} }, '/customer/mobilityProviderCountryCode', 'required'],
    [
      {
        ...minimal,
        customer: {
          ...exampleRequest.customer,
          customerId: '7c9e6679-7425-70de-944b-e07fc1f90ae7',
        },
      },
      '/customer/customerId',
      'version 1, 2, 3 or 4',
    ],
    [{ ...minimal, tags: 'warranty' }, '/tags', 'an array'],
    [{ ...minimal, tags: ['a', 'b', 'a'] }, '/tags', 'twice'],
    [{ ...minimal, tags: [''] }, '/tags/0', '1 to 50'],
    [{ ...minimal, tags: ['x'.repeat(51)] }, '/tags/0', '1 to 50'],
    [{ ...minimal, tags: [null] }, '/tags/0', 'a string'],
    [{ ...minimal, tags: Array.from({ length: 51 }, String) }, '/tags', 'at most 50'],
  ];
  const { path, json } = await create();
  const before = await service.call('GET', logbook);
  for (const [body, pointer, detail = ''] of issues) {
    for (const [method, at] of [
      ['POST', logbook],
      ['PUT', path],
    ] as const) {
      const answer = await service.call(method, at, body);
      expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(400);
      expect(answer.json.errors[0].pointer).toBe(pointer);
      expect(answer.json.errors[0].detail).toContain(detail);
    }
  }
  expect((await service.call('GET', path)).json).toEqual(json);
  const after = await service.call('GET', logbook);
  expect(after.json.pagination).toEqual(before.json.pagination);
});

test('another vehicle’s entry, another provider’s, and an id that is none, are all 404', async () => {
  const { json } = await create();
  const neighbour = '/DE*ABC*T0007/logbook';
  await service.db.query(
    `insert into logbook_entries (provider, vehicle_id, id, date, category, title, created_at, updated_at)
     values ('FR-XYZ', 'FR*XYZ*T0000', '00000000-0000-4000-8000-00000000000f', '2026-01-01', 'other', 'x', now(), now())`,
  );
  for (const path of [
    `${neighbour}/${json.id}`,
    '/FR*XYZ*T0000/logbook/00000000-0000-4000-8000-00000000000f',
    `${logbook}/00000000-0000-4000-8000-00000000000f`,
    `${logbook}/1`,
    `${logbook}/${json.id}x`,
    `${logbook}/%7B${json.id}%7D`,
  ]) {
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', minimal]] as const) {
      expect((await service.call(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
  }
  expect((await service.call('POST', '/FR*XYZ*T0000/logbook', minimal)).status).toBe(404);
  expect((await service.call('GET', `${logbook}/${json.id.toUpperCase()}`)).status).toBe(200);
  const kept = await service.db.query(`select 1 from logbook_entries where provider = 'FR-XYZ'`);
  expect(kept).toHaveLength(1);
});

test('a deleted entry takes its files with it, records and bytes, and leaves those of others', async () => {
  const [doomed, kept] = [await create(), await create()];
  for (const { json } of [doomed, kept]) {
    const key = `DE-ABC/${json.id}`;
    await service.blobs.put(key, Readable.from([Buffer.from('bytes')]));
    await service.db.query(`insert into stored_objects (provider, key) values ('DE-ABC', $1)`, [
      key,
    ]);
    await service.db.query(
      `insert into blobs
         (provider, vehicle_id, owner, entry_id, filename, content_type, created_at, object_key, size, uploaded_at)
       values ('DE-ABC', 'DE*ABC*T0000', 'logbook', $1, 'a.txt', 'text/plain', now(), $2, 5, now()),
              ('DE-ABC', 'DE*ABC*T0000', 'logbook', $1, 'b.txt', 'text/plain', now(), null, null, null)`,
      [json.id, key],
    );
  }
  const { json } = await service.call('GET', kept.path);
  expect(json.blobs.map(({ uploaded }: { uploaded: boolean }) => uploaded).toSorted()).toEqual([
    false,
    true,
  ]);

  expect((await service.call('DELETE', doomed.path)).status).toBe(204);
  const left = await service.db.query<{ entry_id: string }>('select entry_id from blobs');
  expect(left.map(({ entry_id }) => entry_id)).toEqual([kept.json.id, kept.json.id]);
  await deleteReleasedBytes(service);
  expect(await service.db.query('select key from stored_objects')).toEqual([
    { key: `DE-ABC/${kept.json.id}` },
  ]);
  await expect(service.blobs.get(`DE-ABC/${doomed.json.id}`)).rejects.toThrow();
  (await service.blobs.get(`DE-ABC/${kept.json.id}`)).destroy();
});

test('entries written while their vehicle is deleted are made or 404, and none outlives it', async () => {
  const vehicle = '/DE*ABC*T0007';
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => service.call('POST', `${vehicle}/logbook`, minimal)),
    service.call('DELETE', vehicle),
    ...Array.from({ length: 20 }, () => service.call('POST', `${vehicle}/logbook`, minimal)),
  ]);
  expect(answers.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
  const left = await service.db.query(
    `select 1 from logbook_entries where vehicle_id = 'DE*ABC*T0007'`,
  );
  expect(left).toEqual([]);
});
