import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { SendRate } from '../../platform/webhooks/send-rate.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  eventually,
  type Received,
  sender,
  startReceiver,
  useWebhooks,
} from '../../testing/webhook-receivers.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { testWebhook } from './test-webhook.ts';

/** Webhooks are made, tested, rotated and deleted. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const {
  startDeliverer,
  stopDeliverers,
  createVehicle,
  createIncident,
  createWebhook,
  readWebhook,
  deliveriesOf,
} = useWebhooks(() => service);

test('an address that is not allowed is refused, also when a name leads to it', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '0x0a000001']) {
    const { status, json } = await service.call('POST', '/webhooks', { url: `https://${host}/` });
    expect([host, status, json.errors?.[0].pointer]).toEqual([host, 400, '/url']);
  }
  await createVehicle('LOCAL');
  const port = new URL(receiver.url).port;
  const { id } = await createWebhook({
    url: `http://localhost:${port}/`,
    types: ['incident.created.v1'],
  });
  const { settings } = service.dependencies;
  const { webhookNetworks } = settings;
  settings.webhookNetworks = new BlockList();
  onTestFinished(() => {
    settings.webhookNetworks = webhookNetworks;
  });
  await stopDeliverers();
  startDeliverer();
  await createIncident('LOCAL');
  await eventually(async () =>
    expect(await deliveriesOf(id)).toMatchObject([
      { status: 'pending', error: 'localhost has no address that may be reached' },
    ]),
  );
  expect(receiver.received).toEqual([]);
});

test('this machine is refused by its name, also with the dot of a full name', async ({
  onTestFinished,
}) => {
  const { settings } = service.dependencies;
  const { webhookNetworks } = settings;
  settings.webhookNetworks = new BlockList();
  onTestFinished(() => {
    settings.webhookNetworks = webhookNetworks;
  });
  for (const host of ['localhost', 'localhost.', 'LOCALHOST.']) {
    const { status, json } = await service.call('POST', '/webhooks', { url: `https://${host}/` });
    expect([host, status, json.errors?.[0].pointer]).toEqual([host, 400, '/url']);
  }
});

test.each([
  [{ url: 'ftp://example.com/' }, '/url'],
  [{ url: 'events' }, '/url'],
  [{ url: 'https://user:password@example.com/' }, '/url'],
  [{ url: 'https://example.com/#here' }, '/url'],
  [{ url: 'https://example.com/', types: ['incident.painted.v1'] }, '/types/0'],
])('%o is refused', async (settings, pointer) => {
  const { status, json } = await service.call('POST', '/webhooks', settings);
  expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
});

test('an asset provider has fifty webhooks at most, also when they are made at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 55 }, () =>
      service.call('POST', '/webhooks', { url: 'https://example.com/' }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(50);
  expect(statuses.filter((status) => status === 409)).toHaveLength(5);
});

test('secrets are shown once, stored sealed, and both sign for a day after a rotation', async () => {
  const receiver = await startReceiver();
  await createVehicle('SECRET');
  const types = ['incident.created.v1'];
  const { id, secret } = await createWebhook({ url: receiver.url, types });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await readWebhook(id)).not.toHaveProperty('secret');
  const stored = JSON.stringify(await service.db.query('select * from webhooks'));
  expect(stored).not.toContain(secret.slice(6));
  const { json: rotated } = await service.call('POST', `/webhooks/${id}/rotate`);
  expect(rotated.secret).not.toBe(secret);
  await createIncident('SECRET');
  await eventually(() => expect(receiver.received).toHaveLength(1));
  const { verifyWebhook } = await import('../../../../client/src/verify-webhook.ts');
  const [{ headers, body }] = receiver.received as [Received];
  const given = { headers: headers as Record<string, string>, body };
  for (const one of [secret, rotated.secret])
    expect(await verifyWebhook({ secret: one, ...given })).toMatchObject({ type: types[0] });
  await expect(
    verifyWebhook({ secret: `whsec_${btoa('x'.repeat(32))}`, ...given }),
  ).rejects.toThrow('webhook-signature does not match');
  expect(service.log.join('')).not.toContain(secret.slice(6));
});

test('a test event is posted at once, signed, and leaves no trace in the logs', async () => {
  const receiver = await startReceiver((_, count) => (count === 1 ? 204 : 500));
  const { id, secret } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  const sent = await service.call('POST', `/webhooks/${id}/test`);
  expect(sent.json).toEqual({ accepted: true, answerStatus: 204 });
  const [{ event, headers, body }] = receiver.received as [Received];
  expect(event).toMatchObject({ type: 'webhook.test.v1', source: '/api/fleets/v1/DE/ABC' });
  const { verifyWebhook } = await import('../../../../client/src/verify-webhook.ts');
  expect(await verifyWebhook({ secret, body, headers: headers as Record<string, string> })).toEqual(
    event,
  );
  const refused = await service.call('POST', `/webhooks/${id}/test`);
  expect(refused.json).toEqual({ accepted: false, answerStatus: 500 });
  expect(await deliveriesOf(id)).toEqual([]);
  expect(await readWebhook(id)).toMatchObject({ status: 'active' });
  expect((await readWebhook(id)).failingSince).toBeUndefined();
});

test('a test of a receiver that is not there says why', async () => {
  const receiver = await startReceiver();
  receiver.close();
  const { id } = await createWebhook({ url: receiver.url });
  const { json } = await service.call('POST', `/webhooks/${id}/test`);
  expect(json).toEqual({ accepted: false, error: expect.stringContaining('ECONN') });
});

test('tests count for what the provider may send: beyond that they are refused, and told when to try again', async () => {
  const receiver = await startReceiver();
  const { id } = await createWebhook({ url: receiver.url });
  const clock = { now: 0 };
  const rate = new SendRate({ perSecond: 11, now: () => clock.now });
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const input = { provider, parameters: { webhookId: id } };
  const sendTest = () => testWebhook(sender, rate).handler(input as never, service.dependencies);
  const accepted = { status: 200, body: { accepted: true, answerStatus: 204 } };
  for (let sent = 0; sent < 2; sent++) expect(await sendTest()).toEqual(accepted);
  const refusal = { status: 429, headers: { 'retry-after': '1' } };
  await expect(sendTest()).rejects.toMatchObject(refusal);
  expect(receiver.received).toHaveLength(2);
  // What is delivered counts with them.
  clock.now = 1_000;
  rate.charge('DE-ABC', 11);
  await expect(sendTest()).rejects.toMatchObject(refusal);
  clock.now = 2_000;
  expect(await sendTest()).toEqual(accepted);
});

test('a webhook with many deliveries is deleted in parts, and a refusal leaves them', async () => {
  const { id } = await createWebhook({ url: 'http://127.0.0.1:9/' });
  await service.db.query(
    `insert into webhook_deliveries (provider, webhook_id, number, event_id, type, status, next_try_at)
     select 'DE-ABC', $1, number, gen_random_uuid(), 'incident.created.v1', 'delivered', null
     from generate_series(1000000, 1025000) number`,
    [id],
  );
  const path = `/webhooks/${id}`;
  const stale = await service.call('DELETE', path, undefined, { 'if-match': '"0"' });
  expect(stale.status).toBe(412);
  const count = () =>
    service.db.query('select from webhook_deliveries where webhook_id = $1', [id]);
  expect(await count()).toHaveLength(25_001);
  expect((await service.call('DELETE', path)).status).toBe(204);
  expect(await count()).toHaveLength(0);
  expect((await service.call('DELETE', path)).status).toBe(404);
});

test('a webhook that changes while its log is deleted is deleted all the same: a refusal would leave it without its log', async () => {
  const { id } = await createWebhook({ url: 'http://127.0.0.1:9/' });
  await service.db.query(
    `insert into webhook_deliveries (provider, webhook_id, number, event_id, type, status, next_try_at)
     values ('DE-ABC', $1, 1000000, gen_random_uuid(), 'incident.created.v1', 'delivered', null)`,
    [id],
  );
  const path = `/webhooks/${id}`;
  const read = await service.call('GET', path);
  const statuses: string[] = [];
  const input = {
    provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    parameters: { webhookId: id },
    header: () => read.headers.etag,
  };
  const db: Database = {
    ...service.db,
    async query(text, values, budget) {
      const rows = await service.db.query(text, values, budget);
      if (text.startsWith('delete from webhook_deliveries')) {
        statuses.push((await service.call('GET', path)).json.status);
        const change = await service.call('PUT', path, { url: 'http://127.0.0.1:10/' });
        expect(change.status).toBe(200);
      }
      return rows as never;
    },
  };
  const deleted = await deleteWebhook.handler(input as never, { ...service.dependencies, db });
  expect(deleted.status).toBe(204);
  expect(statuses).toEqual(['paused']);
  expect((await service.call('GET', path)).status).toBe(404);
});
