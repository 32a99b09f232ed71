import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { type ContractData, seedContractData } from '../../testing/contract/contract-data.ts';
import { sendRequest } from '../../testing/contract/observer.ts';
import { providers, requestsOf } from '../../testing/contract/requests.ts';
import { type ContractRequest, loadSeeds } from '../../testing/contract/seed.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { operations } from '../index.ts';
import { exampleCustomer } from '../users/public.ts';
import { exampleVehicle } from '../vehicles/public.ts';
import type { AuditEvent } from './audit-event.ts';
import { eraseCustomerKeys } from './customer-keys.ts';

/** Every change is recorded with who made it, through the real service. */

const seeds = await loadSeeds();
const { 'DE-ABC': own } = providers;

let service: TestService;
let data: ContractData;
beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, seeds, own);
});
afterAll(() => service.stop());

async function search(filters: object[], pageSize = 1_000): Promise<AuditEvent[]> {
  const { json } = await service.call('POST', '/audit/search', {
    filters,
    pagination: { pageSize },
  });
  return json.items;
}

const eventsOf = (requestId: string) => search([{ field: 'requestId', value: requestId }]);

/** Calls an operation; returns the answer and its events. */
async function recorded(method: string, path: string, body?: unknown) {
  const requestId = randomUUID();
  const answer = await service.call(method, path, body, { 'x-request-id': requestId });
  return { ...answer, events: await eventsOf(requestId) };
}

/** Operations that need the role of an editor or more, and change no record. */
const exceptions: Record<string, string> = {
  retriggerInspectionEstimation: 'asks for a job, and what the job estimates is derived',
  findAuditEvents: 'reads',
  findClients: 'reads',
  getClient: 'reads',
  findUserAccounts: 'reads',
  getUserAccount: 'reads',
  findSignInSessions: 'reads',
  findFailedJobs: 'reads',
  getErasure: 'reads',
  findWebhooks: 'reads',
  getWebhook: 'reads',
  findWebhookDeliveries: 'reads',
  testWebhook: 'sends, and changes nothing',
  enableWebhook: 'finds the webhook active',
  resendWebhookDelivery: 'asks for a delivery',
};

/** Some examples overwrite a record with what it has. */
function withAnotherTitle(request: ContractRequest): ContractRequest[] {
  const { title } = (request.body ?? {}) as { title?: unknown };
  if (typeof title !== 'string') return [request];
  return [request, { ...request, body: { ...(request.body as object), title: `${title} again` } }];
}

describe.each(
  operations
    .filter(({ role }) => ['editor', 'admin'].includes(role))
    .map((operation) => ({ name: operation.id, operation })),
)('$name', ({ operation }) => {
  test('leaves events with who did it, through which client, from where and in which request', async () => {
    const events: AuditEvent[] = [];
    for (const request of requestsOf(operation, seeds).flatMap(withAnotherTitle)) {
      await data.enter('alone');
      const requestId = randomUUID();
      const headers = { ...request.headers, 'x-request-id': requestId };
      const { status } = await sendRequest(service, data, operation, { ...request, headers });
      const left = await eventsOf(requestId);
      if (status >= 400) expect(left).toEqual([]);
      for (const event of left) {
        expect(event).toMatchObject({
          actor: {
            kind: 'client',
            clientId: 'demo-client',
            subject: 'demo-client',
            address: '127.0.0.1',
          },
          operation: operation.id,
          requestId,
          action: expect.stringMatching(/^(created|changed|deleted|exported)$/),
        });
        expect(Object.keys(event.changes)).not.toEqual([]);
      }
      events.push(...left);
    }
    if (operation.id in exceptions) expect(events).toEqual([]);
    else expect(events).not.toEqual([]);
  });
});

describe('a vehicle', () => {
  const path = '/DE*ABC*A0001';
  const information = { vin: 'WVWZZZE1ZMP000001', licensePlate: 'M-AB 123', seats: 5 };

  test('is recorded with the fields that changed, before and after', async () => {
    await data.enter('alone');
    const made = await recorded('PUT', path, { information });
    expect(made.events).toMatchObject([
      {
        action: 'created',
        type: 'vehicle',
        vehicleId: 'DE*ABC*A0001',
        recordId: 'DE*ABC*A0001',
        changes: {
          active: { after: true },
          vin: { after: information.vin },
          licensePlate: { after: 'M-AB 123' },
          seats: { after: 5 },
        },
      },
    ]);
    const { licensePlate: _, ...without } = information;
    const changed = await recorded('PUT', path, { information: { ...without, seats: 4 } });
    expect(changed.events.map(({ action, changes }) => ({ action, changes }))).toEqual([
      {
        action: 'changed',
        changes: { licensePlate: { before: 'M-AB 123' }, seats: { before: 5, after: 4 } },
      },
    ]);
  });

  test('leaves nothing when it is overwritten with the same, or the write is refused', async () => {
    const same = await recorded('PUT', path, {
      information: { vin: information.vin, seats: 4 },
    });
    expect([same.status, same.events]).toEqual([200, []]);
    const requestId = randomUUID();
    const headers = { 'x-request-id': requestId, 'if-match': '"1"' };
    const refused = await service.call('PUT', path, { information: { seats: 2 } }, headers);
    expect([refused.status, await eventsOf(requestId)]).toEqual([412, []]);
  });

  test('takes with it what belongs to it, and each is recorded', async () => {
    await service.call('PUT', `${path}/drivers`, exampleCustomer);
    await service.call('PUT', '/databoxes/BOX-A1', { vehicleId: 'DE*ABC*A0001' });
    const { events } = await recorded('DELETE', path);
    expect(events.map(({ action, type }) => `${action} ${type}`).sort()).toEqual([
      'deleted databox',
      'deleted driver',
      'deleted vehicle',
    ]);
    expect(events.every(({ vehicleId }) => vehicleId === 'DE*ABC*A0001')).toBe(true);
  });
});

test('what vehicles report and what jobs derive from it is not recorded', async () => {
  await data.enter('alone');
  await service.call('PUT', '/DE*ABC*A0002', { information: exampleVehicle.information });
  const count = async () => (await search([])).length;
  const before = await count();
  const message = { timestamp: new Date().toISOString(), odometer: 81_000 };
  await service.call('PUT', '/DE*ABC*A0002/status', message);
  expect(await service.runJobs()).toBeGreaterThan(0);
  expect(await count()).toBe(before);
});

test('an overwritten incident without another value leaves nothing, though its version grows', async () => {
  await data.enter('alone');
  const incident = { title: 'Scraped', vehicleOperable: true, isResolved: false };
  await service.call('PUT', '/DE*ABC*A0003', { information: {} });
  const { json } = await service.call('POST', '/DE*ABC*A0003/incidents', incident);
  const { status, events } = await recorded('PUT', `/DE*ABC*A0003/incidents/${json.id}`, incident);
  expect([status, events]).toEqual([200, []]);
});

test('of a secret it is recorded that it changed, and never its value', async () => {
  const db = service.db.actingAs({ kind: 'command', username: 'root', operation: 'client add' });
  const { id, secret = '' } = await addClient(db, 'DE-ABC', { name: 'Trail', role: 'viewer' });
  const events = await search([{ field: 'recordId', value: id }]);
  expect(events).toMatchObject([
    {
      action: 'created',
      type: 'client',
      actor: { kind: 'command', username: 'root' },
      operation: 'client add',
      changes: {
        name: { after: 'Trail' },
        secretHash: { after: '***' },
        role: { after: 'viewer' },
      },
    },
  ]);
  const [row] = await service.db.query<{ hash: string }>(
    `select encode(secret_hash, 'hex') as hash from clients where provider = 'DE-ABC' and id = $1`,
    [id],
  );
  const [{ trail = '' } = {}] = await service.db.query<{ trail: string }>(
    'select string_agg(e::text, $1) as trail from audit_events e',
    ['\n'],
  );
  expect(trail).toContain(id);
  for (const hidden of [secret, row?.hash ?? '']) expect(trail).not.toContain(hidden);

  const credentials = { clientId: id, clientSecret: secret };
  const { json } = await requestToken(service.url, 'DE-ABC', credentials);
  const headers = { authorization: `Bearer ${json.access_token}` };
  expect((await service.call('POST', '/audit/search', {}, headers)).status).toBe(403);
});

test('another provider sees none of it', async () => {
  await data.enter('alone');
  const { events } = await recorded('PUT', '/DE*ABC*A0004', { information: {} });
  expect(events).toHaveLength(1);
  const { json } = await service.send({
    method: 'POST',
    path: '/api/fleets/v1/FR/XYZ/audit/search',
    headers: {
      authorization: `Bearer ${await service.token('FR-XYZ')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ filters: [{ field: 'requestId', value: events[0]?.requestId }] }),
  });
  expect(json.items).toEqual([]);
});

describe('what tells of a customer', () => {
  const vehicle = '/DE*ABC*A0005';
  const incident = {
    title: 'Mrs Example scraped a bollard',
    notes: 'She called from the car park.',
    vehicleOperable: true,
    isResolved: false,
  };
  const other = { ...exampleCustomer, customerId: '0b6e1d4c-6a1f-4c57-9a55-0d9b8f1f2a33' };
  const stored = async (texts: string[]) => {
    const rows = await service.db.query<{ trail: string }>(
      'select e::text as trail from audit_events e',
    );
    return texts.filter((text) => rows.some(({ trail }) => trail.includes(text)));
  };

  test('is stored encrypted, and read by an administrator', async () => {
    await data.enter('alone');
    await service.owner.query('delete from audit_events');
    await service.call('PUT', vehicle, { information: {} });
    const { events } = await recorded('POST', `${vehicle}/incidents`, {
      ...incident,
      customer: exampleCustomer,
    });
    expect(events[0]?.changes).toMatchObject({
      title: { after: incident.title },
      notes: { after: incident.notes },
      customerId: { after: exampleCustomer.customerId },
      isResolved: { after: false },
    });
    const driver = await recorded('PUT', `${vehicle}/drivers`, exampleCustomer);
    expect(driver.events[0]?.changes.customerId).toEqual({ after: exampleCustomer.customerId });
    expect(driver.events[0]).not.toHaveProperty('recordId');
    const personal = [incident.title, incident.notes, exampleCustomer.customerId];
    expect(await stored(personal)).toEqual([]);
  });

  test('is encrypted and erased also before and after the record refers to the customer', async () => {
    const first = { ...incident, title: 'Nobody is known', notes: undefined };
    const { json } = await service.call('POST', `${vehicle}/incidents`, first);
    const path = `${vehicle}/incidents/${json.id}`;
    await service.call('PUT', path, { ...incident, title: 'She is known', customer: other });
    const { events } = await recorded('PUT', path, { ...incident, title: 'Anonymous again' });
    expect(events[0]?.changes).toMatchObject({
      title: { before: 'She is known', after: 'Anonymous again' },
      customerId: { before: other.customerId },
    });
    await service.call('PUT', path, { ...incident, title: 'Long forgotten' });
    await service.call('DELETE', path);
    const titles = ['Nobody is known', 'She is known', 'Anonymous again', 'Long forgotten'];
    expect(await stored([...titles, other.customerId])).toEqual([]);
    const ofIncident = () => search([{ field: 'recordId', value: json.id }]);
    const readable = JSON.stringify(await ofIncident());
    expect(titles.filter((title) => !readable.includes(title))).toEqual([]);
    await service.db.transaction((tx) => eraseCustomerKeys(tx, 'DE-ABC', other));
    const erased = await ofIncident();
    expect(erased.map((event) => event.erased)).toEqual([true, true, true, true, true]);
    expect(titles.filter((title) => JSON.stringify(erased).includes(title))).toEqual([]);
  });

  test('is erased with either of two customers where one follows the other', async () => {
    const third = { ...exampleCustomer, customerId: '5b1c7d52-1c7e-4a39-9d0e-3a2c1b4d5e6f' };
    for (const customer of [third, other]) {
      const { json } = await service.call('POST', `${vehicle}/incidents`, {
        ...incident,
        title: 'It was the second',
        customer: third,
      });
      const path = `${vehicle}/incidents/${json.id}`;
      const changed = { ...incident, title: 'It was the first', customer: other };
      const { events } = await recorded('PUT', path, changed);
      const { id, changes } = events[0] ?? {};
      expect(changes).toEqual({
        title: { before: 'It was the second', after: 'It was the first' },
        customerId: { before: third.customerId, after: other.customerId },
      });
      await service.db.transaction((tx) => eraseCustomerKeys(tx, 'DE-ABC', customer));
      expect((await search([{ field: 'id', value: id }]))[0]).toMatchObject({
        changes: {},
        erased: true,
      });
    }
  });

  test('is unreadable once the key of the customer is dropped; the rest stays', async () => {
    const before = await search([{ field: 'vehicleId', value: vehicle.slice(1) }]);
    await service.db.transaction((tx) => eraseCustomerKeys(tx, 'DE-ABC', exampleCustomer));
    const after = await search([{ field: 'vehicleId', value: vehicle.slice(1) }]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const readable = before.filter(({ erased }) => !erased).map(({ id }) => id);
    expect(after.filter(({ id, erased }) => erased && readable.includes(id))).toMatchObject([
      { type: 'driver', changes: {} },
      {
        type: 'incident',
        changes: { isResolved: { after: false }, vehicleOperable: { after: true } },
      },
    ]);
    expect(JSON.stringify(after)).not.toContain(exampleCustomer.customerId);
    // A later event has a new key, which reads nothing of before.
    await service.call('DELETE', `${vehicle}/drivers/DE/MOB/${exampleCustomer.customerId}`);
    const again = await search([{ field: 'type', value: 'driver' }]);
    expect(again[0]?.changes.customerId).toEqual({ before: exampleCustomer.customerId });
    expect(again[1]).toMatchObject({ changes: {}, erased: true });
  });
});
