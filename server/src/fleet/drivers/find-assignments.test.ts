import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Customer, exampleCustomer } from '../users/public.ts';

let service: TestService;
let vehicles: string[];
let now = new Date('2026-01-01T00:00:00.000Z');

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  const fleet = await makeFleet(service.db, 'DE', 'ABC', 8);
  vehicles = fleet.map(({ asset }) => `/${asset.id}`);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

/** A vehicle without assignments for each test. */
const nextVehicle = () => vehicles.pop() ?? '';
const customer = (): Customer => ({ ...exampleCustomer, customerId: randomUUID() });
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T12:00:00.000Z`;

async function add(vehicle: string, one: Customer, at: string) {
  now = new Date(at);
  return service.call('PUT', `${vehicle}/drivers`, one);
}
async function remove(vehicle: string, one: Customer, at: string) {
  now = new Date(at);
  return service.call('DELETE', `${vehicle}/drivers/DE/MOB/${one.customerId}`);
}
const find = (vehicle: string, body?: unknown) =>
  service.call('POST', `${vehicle}/assignments`, body);

test('adding opens an assignment, adding again changes nothing, removing closes it', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  expect((await find(vehicle)).json.items).toEqual([]);
  await add(vehicle, one, day(1));
  await add(vehicle, one, day(2));
  expect((await find(vehicle)).json).toEqual({
    items: [{ customer: one, addedAt: day(1) }],
    pagination: { pageSize: 100, pageNumber: 0, totalEntries: 1 },
  });
  await remove(vehicle, one, day(3));
  expect((await remove(vehicle, one, day(4))).status).toBe(404);
  const first = { customer: one, addedAt: day(1), removedAt: day(3) };
  expect((await find(vehicle)).json.items).toEqual([first]);
  await add(vehicle, one, day(5));
  expect((await find(vehicle)).json.items).toEqual([{ customer: one, addedAt: day(5) }, first]);
});

test('a moment finds who was a driver then: from when one was added, until one was removed', async () => {
  const vehicle = nextVehicle();
  const [former, current] = [customer(), customer()];
  await add(vehicle, former, day(1));
  await add(vehicle, current, day(5));
  await remove(vehicle, former, day(10));
  for (const [at, expected] of [
    ['2026-03-01T11:59:59.999Z', []],
    [day(1), [former]],
    ['2026-03-01T14:00:00+02:00', [former]],
    [day(5), [current, former]],
    ['2026-03-10T11:59:59.999Z', [current, former]],
    [day(10), [current]],
    [day(31), [current]],
  ] as const) {
    const { json } = await find(vehicle, { at });
    const found = json.items.map((item: { customer: Customer }) => item.customer);
    expect(found, at).toEqual(expected);
  }
  const filters = [{ field: 'customer.customerId', value: former.customerId }];
  expect((await find(vehicle, { at: day(6), filters })).json.pagination.totalEntries).toBe(1);
  expect((await find(vehicle, { at: day(11), filters })).json.pagination.totalEntries).toBe(0);
});

test('a clock that was set back ends no assignment before its begin', async () => {
  const vehicle = nextVehicle();
  const one = customer();
  await add(vehicle, one, day(9));
  expect((await remove(vehicle, one, day(8))).status).toBe(204);
  expect((await find(vehicle)).json.items).toEqual([
    { customer: one, addedAt: day(9), removedAt: day(9) },
  ]);
});

test('pages hold every assignment once, also those of one moment', async () => {
  const vehicle = nextVehicle();
  for (let number = 0; number < 9; number++) {
    const one = customer();
    await add(vehicle, one, day(1));
    if (number % 2 === 0) await remove(vehicle, one, day(2));
    if (number % 4 === 0) await add(vehicle, one, day(1));
  }
  for (const sorting of [[], [{ field: 'removedAt' }]]) {
    const seen: string[] = [];
    for (let pageNumber = 0; pageNumber < 3; pageNumber++) {
      const { json } = await find(vehicle, { sorting, pagination: { pageNumber, pageSize: 5 } });
      expect(json.pagination.totalEntries).toBe(12);
      seen.push(...json.items.map((item: unknown) => JSON.stringify(item)));
    }
    expect(new Set(seen).size).toBe(12);
  }
});

test('removals while the vehicle is deleted give 204 or 404, never a fault', async () => {
  const vehicle = nextVehicle();
  const all = Array.from({ length: 20 }, customer);
  for (const one of all) await add(vehicle, one, day(1));
  const answers = await Promise.all([
    ...all.slice(0, 10).map((one) => remove(vehicle, one, day(2))),
    service.call('DELETE', vehicle),
    ...all.slice(10).map((one) => remove(vehicle, one, day(2))),
  ]);
  expect(answers.filter(({ status }) => ![204, 404].includes(status))).toEqual([]);
  expect((await find(vehicle)).status).toBe(404);
});

test('what does not fit is 400, and an unknown or another provider’s vehicle is 404', async () => {
  for (const [body, pointer] of [
    [{ at: 'yesterday' }, '/at'],
    [{ filters: [{ field: 'at', value: day(1) }] }, '/filters/0/field'],
    [{ sorting: [{ field: 'customer' }] }, '/sorting/0/field'],
  ] as const) {
    const { status, json } = await find('/DE*ABC*nowhere', body);
    expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
  }
  expect((await find('/DE*ABC*nowhere')).status).toBe(404);
  expect((await find('/FR*XYZ*T0000', { at: day(1) })).status).toBe(404);
});
