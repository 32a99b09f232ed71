import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Customer, exampleCustomer } from '../users/public.ts';

let service: TestService;
let now = new Date('2026-03-01T12:00:00.000Z');
const [first, second] = ['/DE*ABC*T0000', '/DE*ABC*T0007'];

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await makeFleet(service.db, 'DE', 'ABC', 2);
});
afterAll(() => service.stop());

const newCustomer = (): Customer => ({ ...exampleCustomer, customerId: randomUUID() });
const pathOf = (one: Customer) =>
  `/users/${one.mobilityProviderCountryCode}/${one.mobilityProviderCode}/${one.customerId}`;
const post = async (path: string, body: object) => (await service.call('POST', path, body)).json;

test('has the vehicles with dates, incidents, logbook and checklist entries of the customer alone', async () => {
  const [one, other] = [newCustomer(), newCustomer()];
  for (const customer of [other, one]) {
    await service.call('PUT', `${first}/drivers`, customer);
    await service.call('PUT', `${second}/drivers`, customer);
  }
  now = new Date('2026-03-02T12:00:00.000Z');
  await service.call('DELETE', `${first}/drivers/DE/MOB/${one.customerId}`);

  const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };
  const entry = { title: 'Fuel', date: '2026-03-01' };
  const check = { title: 'Tyres', type: 'check' };
  for (const customer of [other, undefined]) {
    await post(`${first}/incidents`, { ...incident, customer });
    await post(`${first}/logbook`, { ...entry, customer });
    await post(`${first}/checklist`, { ...check, customer });
  }
  const { possibleDuplicateOf: _, ...incidentOfOne } = await post(`${second}/incidents`, {
    ...incident,
    customer: one,
  });
  const entryOfOne = await post(`${second}/logbook`, { ...entry, customer: one });
  const checkOfOne = await post(`${second}/checklist`, { ...check, customer: one });
  const blob = await post(`${second}/blobs/logbook/${entryOfOne.id}`, { filename: 'bill.pdf' });

  const vehicleId = second.slice(1);
  const { status, json } = await service.call('GET', pathOf(one));
  expect(status).toBe(200);
  expect(json).toEqual({
    ...one,
    vehicles: {
      totalEntries: 2,
      items: [
        {
          vehicleId: first.slice(1),
          addedAt: '2026-03-01T12:00:00.000Z',
          removedAt: '2026-03-02T12:00:00.000Z',
        },
        { vehicleId, addedAt: '2026-03-01T12:00:00.000Z' },
      ],
    },
    incidents: { totalEntries: 1, items: [{ vehicleId, ...incidentOfOne }] },
    logbook: { totalEntries: 1, items: [{ vehicleId, ...entryOfOne, blobs: [blob] }] },
    checklist: { totalEntries: 1, items: [{ vehicleId, ...checkOfOne }] },
  });
});

test('shows the newest 25 of each, and how many there are', async () => {
  const customer = newCustomer();
  for (let day = 1; day <= 28; day++) {
    const date = `2026-02-${String(day).padStart(2, '0')}`;
    await post(`${first}/logbook`, { title: 'Fuel', date, customer });
  }
  const { json } = await service.call('GET', pathOf(customer));
  expect(json.logbook.totalEntries).toBe(28);
  expect(json.logbook.items).toHaveLength(25);
  expect(json.logbook.items[0].date).toBe('2026-02-28');
  expect(json.vehicles).toEqual({ totalEntries: 0, items: [] });
});

test('a customer of whom nothing is kept is 404, also with the letters of a code in another case', async () => {
  const customer = newCustomer();
  await post(`${first}/logbook`, { title: 'Fuel', date: '2026-02-01', customer });
  expect((await service.call('GET', pathOf(customer))).status).toBe(200);
  expect((await service.call('GET', pathOf(newCustomer()))).status).toBe(404);
  for (const changes of [
    { mobilityProviderCountryCode: 'de' },
    { mobilityProviderCode: 'Mob' },
    { customerId: 'nobody' },
  ]) {
    expect((await service.call('GET', pathOf({ ...customer, ...changes }))).status).toBe(404);
  }
});
