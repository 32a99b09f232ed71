import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Customer, exampleCustomer } from '../users/public.ts';

let service: TestService;
let vehicles: string[];

beforeAll(async () => {
  service = await startTestService();
  const fleet = await makeFleet(service.db, 'DE', 'ABC', 12);
  vehicles = fleet.map(({ asset }) => `/${asset.id}`);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

/** A vehicle without drivers for each test. */
const nextVehicle = () => vehicles.pop() ?? '';
const customer = (changes: Partial<Customer> = {}): Customer => ({
  ...exampleCustomer,
  customerId: randomUUID(),
  ...changes,
});
const pathOf = (vehicle: string, one: Customer) =>
  `${vehicle}/drivers/${one.mobilityProviderCountryCode}/${one.mobilityProviderCode}/${one.customerId}`;
const encodedPathOf = (vehicle: string, one: Customer) =>
  pathOf(vehicle, one).split('/').map(encodeURIComponent).join('/');
const add = (vehicle: string, body: unknown) => service.call('PUT', `${vehicle}/drivers`, body);
const list = (vehicle: string, body: object = {}) =>
  service.call('POST', `${vehicle}/drivers/search`, body);

test('a driver is added (201), added again (200) as first added, listed, removed (204), then gone (404)', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  const added = await add(vehicle, one);
  expect(added.status).toBe(201);
  expect(added.json).toEqual({ ...one, addedAt: expect.stringMatching(/\.\d{3}Z$/) });
  expect(added.headers.location).toBe(`/api/fleets/v1/DE/ABC${encodedPathOf(vehicle, one)}`);

  const again = await add(vehicle, one);
  expect([again.status, again.json]).toEqual([200, added.json]);
  expect((await list(vehicle)).json).toEqual({
    items: [added.json],
    pagination: { pageSize: 100, pageNumber: 0, totalEntries: 1 },
  });

  const then = [{ field: 'addedAt', value: added.json.addedAt }];
  expect((await list(vehicle, { filters: then })).json.items).toEqual([added.json]);

  expect((await service.call('DELETE', pathOf(vehicle, one))).status).toBe(204);
  expect((await service.call('DELETE', pathOf(vehicle, one))).status).toBe(404);
  expect((await list(vehicle)).json.items).toEqual([]);
  expect((await add(vehicle, one)).status).toBe(201);
});

test('with If-None-Match: * a driver is added, and one who is there already is 412', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  const addNew = () => service.call('PUT', `${vehicle}/drivers`, one, { 'if-none-match': '*' });
  expect((await addNew()).status).toBe(201);
  const again = await addNew();
  expect([again.status, again.json.type]).toEqual([412, problemType('exists-already')]);
});

test('a hundred requests at once add one driver once, and all answer the same', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  const answers = await Promise.all(Array.from({ length: 100 }, () => add(vehicle, one)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 99 }, () => 200), 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await list(vehicle)).json.items).toEqual([answers[0]?.json]);
});

test('a vehicle that is deleted meanwhile gives 404, never a fault', async () => {
  const vehicle = nextVehicle();
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => add(vehicle, customer())),
    service.call('DELETE', vehicle),
    ...Array.from({ length: 20 }, () => add(vehicle, customer())),
  ]);
  expect(answers.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
  expect((await list(vehicle)).status).toBe(404);
});

test('versions 1 to 4 in the right variant are customers, no other UUID is', async () => {
  const vehicle = nextVehicle();
  for (const version of ['1', '2', '3', '4']) {
    for (const variant of ['8', '9', 'a', 'b', 'A', 'B']) {
      const customerId = `7c9e6679-7425-${version}0de-${variant}44b-e07fc1f90ae7`;
      expect([200, 201], customerId).toContain(
        (await add(vehicle, customer({ customerId }))).status,
      );
    }
  }
  for (const customerId of [
    '7c9e6679-7425-00de-944b-e07fc1f90ae7',
    '7c9e6679-7425-50de-944b-e07fc1f90ae7',
    '7c9e6679-7425-70de-944b-e07fc1f90ae7',
    '7c9e6679-7425-f0de-944b-e07fc1f90ae7',
    '7c9e6679-7425-40de-744b-e07fc1f90ae7',
    '7c9e6679-7425-40de-c44b-e07fc1f90ae7',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '7c9e6679742540de944be07fc1f90ae7',
    '{52610fa1-c447-4ecb-95bc-7f8f6cc69ff9}',
    'urn:uuid:52610fa1-c447-4ecb-95bc-7f8f6cc69ff9',
    '52610fa1-c447-4ecb-95bc-7f8f6cc69ff9\n',
    '',
  ]) {
    const { status, json } = await add(vehicle, customer({ customerId }));
    expect(status, customerId).toBe(400);
    expect(json.errors[0].pointer).toBe('/customerId');
  }
});

test('all three fields are required, of the right length, and nothing else is accepted', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  for (const [body, pointer] of [
    [{ ...one, mobilityProviderCountryCode: undefined }, '/mobilityProviderCountryCode'],
    [{ ...one, mobilityProviderCode: undefined }, '/mobilityProviderCode'],
    [{ ...one, customerId: undefined }, '/customerId'],
    [{ ...one, mobilityProviderCountryCode: 'D' }, '/mobilityProviderCountryCode'],
    [{ ...one, mobilityProviderCountryCode: 'DEU' }, '/mobilityProviderCountryCode'],
    [{ ...one, mobilityProviderCode: 'MO' }, '/mobilityProviderCode'],
    [{ ...one, mobilityProviderCode: null }, '/mobilityProviderCode'],
    [{ ...one, addedAt: '2026-01-01T00:00:00Z' }, '/addedAt'],
    [{ ...one, name: 'Ada' }, '/name'],
  ] as const) {
    const { status, json } = await add(vehicle, body);
    expect(status, pointer).toBe(400);
    expect(json.errors[0].pointer).toBe(pointer);
  }
  expect((await add(vehicle, undefined)).status).toBe(400);
  expect((await list(vehicle)).json.pagination.totalEntries).toBe(0);
});

test('a customer is told by all three values, the codes with regard to case', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  const others = [
    one,
    { ...one, mobilityProviderCountryCode: 'de' },
    { ...one, mobilityProviderCode: 'Mob' },
    { ...one, customerId: randomUUID() },
  ];
  for (const other of others) expect((await add(vehicle, other)).status).toBe(201);
  const upper = { ...one, customerId: one.customerId.toUpperCase() };
  expect((await add(vehicle, upper)).status).toBe(200);
  expect((await service.call('DELETE', pathOf(vehicle, upper))).status).toBe(204);
  expect((await list(vehicle)).json.pagination.totalEntries).toBe(3);
});

test('drivers are listed by addedAt and then by id, in pages, filtered and sorted as asked', async () => {
  const vehicle = nextVehicle();
  const drivers = [];
  // Three of them at one moment, which is the first.
  for (const [index, day] of [2, 3, 4, 5, 1, 1, 1].entries()) {
    const mobilityProviderCode = index % 2 === 0 ? 'MOB' : 'XYZ';
    const { json } = await add(vehicle, customer({ mobilityProviderCode }));
    const addedAt = `2026-01-0${day}T00:00:00.123Z`;
    await service.db.query('update drivers set added_at = $1 where customer_id = $2', [
      addedAt,
      json.customerId,
    ]);
    drivers.push({ ...json, addedAt });
  }
  const equals = drivers.slice(4).sort((a, b) => (a.customerId < b.customerId ? -1 : 1));
  const expected = [...equals, ...drivers.slice(0, 4)];
  expect((await list(vehicle)).json.items).toEqual(expected);

  const page = await list(vehicle, { pagination: { pageNumber: 2, pageSize: 3 } });
  expect(page.json).toEqual({
    items: expected.slice(6),
    pagination: { pageNumber: 2, pageSize: 3, totalEntries: 7 },
  });
  const filtered = await list(vehicle, {
    filters: [{ field: 'mobilityProviderCode', value: 'XYZ' }],
    sorting: [{ field: 'addedAt', direction: 'desc' }],
  });
  expect(filtered.json.items).toEqual([drivers[3], drivers[1], drivers[5]]);
  const then = await list(vehicle, {
    filters: [{ field: 'addedAt', value: drivers[0].addedAt }],
  });
  expect(then.json.items).toEqual([drivers[0]]);
});

test('a filter that does not fit is 400, also on a vehicle that does not exist', async () => {
  const filters = [{ field: 'customerId', operator: 'contains', value: '7' }];
  const { status, json } = await list('/DE*ABC*nowhere', { filters });
  expect([status, json.errors[0].pointer]).toEqual([400, '/filters/0/operator']);
  expect((await list('/DE*ABC*nowhere')).status).toBe(404);
});

test('another provider’s vehicle has no drivers to see, add or remove', async () => {
  const one = customer();
  expect((await add('/FR*XYZ*T0000', one)).status).toBe(404);
  expect((await list('/FR*XYZ*T0000')).status).toBe(404);
  expect((await service.call('DELETE', pathOf('/FR*XYZ*T0000', one))).status).toBe(404);
});
