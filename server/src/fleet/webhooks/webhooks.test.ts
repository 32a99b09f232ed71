import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { BlockList } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { disableProvider, enableProvider } from '../../auth/providers.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockSequence } from '../../platform/event-log/sequence-events.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { numberedEvents } from '../event-log/public.ts';
import { modules } from '../index.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { startDeliverer as startWebhookDeliverer } from './deliver-webhooks.ts';
import { type LeasedWebhook, releaseWebhook, takeDue } from './delivery-store.ts';

/** Real deliveries to real receivers on this machine. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let deliverers: { stop(): Promise<void> }[] = [];
const errors: unknown[] = [];
function startDeliverer() {
  const [module] = modules.filter(({ name }) => name === 'webhooks');
  const deliverer = module?.runBeside?.(service.dependencies, (error) => errors.push(error));
  if (!deliverer) throw new Error('nothing runs');
  deliverers.push(deliverer);
  return deliverer;
}
beforeEach(() => void startDeliverer());
afterEach(async () => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  deliverers = [];
  await service.db.query('delete from webhooks');
  expect(errors.splice(0)).toEqual([]);
});

type Received = { path: string; headers: IncomingHttpHeaders; body: string; event: Event };
// biome-ignore lint/suspicious/noExplicitAny: events of every shape.
type Event = { id: string; type: string; vehicleid?: string; sequence: string; data: any };
type Answer = number | { location: string } | 'never';

/** A receiver, which answers as it is told. */
async function startReceiver(
  answer: (received: Received, count: number) => Answer | Promise<Answer> = () => 204,
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      event: JSON.parse(body),
    };
    received.push(one);
    const given = await answer(one, received.length);
    if (given === 'never') return;
    if (typeof given === 'number') response.writeHead(given).end();
    else response.writeHead(307, given).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    received,
    url: `http://127.0.0.1:${port}/events`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };
const damage = {
  damageType: 'scratch',
  severity: 'light',
  repaired: false,
  position: 'right_front_door_lower',
};

async function createVehicle(id: string) {
  await service.call('PUT', `/DE*ABC*${id}`, { information: {} });
}
async function createIncident(vehicle: string, title = 'Scratch'): Promise<string> {
  const { json } = await service.call('POST', `/DE*ABC*${vehicle}/incidents`, {
    ...incident,
    title,
  });
  return json.id;
}
async function otherProvider() {
  const token = await service.token('FR-XYZ');
  return (method: string, path: string, body: object) =>
    service.send({
      method,
      path: `/api/fleets/v1/FR/XYZ${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
async function createWebhook(settings: object): Promise<any> {
  const { status, json } = await service.call('POST', '/webhooks', settings);
  expect(status).toBe(201);
  return json;
}
const readWebhook = async (id: string) => (await service.call('GET', `/webhooks/${id}`)).json;
const deliveriesOf = async (id: string) =>
  (await service.call('POST', `/webhooks/${id}/deliveries/search`, {})).json.items;
/** As after the pause before the next try. */
const makeDue = () =>
  service.db.query(
    'update webhook_deliveries set next_try_at = now() where next_try_at is not null',
  );

const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

test('events of the subscribed types are delivered once they are committed, and no others', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await createVehicle('HOOK');
  await createIncident('HOOK', 'before');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  const incidentId = await createIncident('HOOK', 'after');
  await createVehicle('HOOK2');
  await eventually(() => expect(receiver.received).toHaveLength(1));
  const [{ event, headers }] = receiver.received as [Received];
  expect(event).toMatchObject({
    type: 'incident.created.v1',
    vehicleid: 'DE*ABC*HOOK',
    data: { resource: { id: incidentId, title: 'after' } },
  });
  expect(headers).toMatchObject({
    'webhook-id': event.id,
    'content-type': 'application/cloudevents+json; charset=utf-8',
  });
  await eventually(async () =>
    expect(await deliveriesOf(id)).toMatchObject([
      { eventId: event.id, status: 'delivered', tries: 1, answerStatus: 204 },
    ]),
  );
});

test('what fails is tried again with the same id, and later events of the vehicle wait for it', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver((_, count) => (count === 1 ? 503 : 200));
  onTestFinished(receiver.close);
  await createVehicle('ORDER');
  await createVehicle('OTHER');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  await createIncident('ORDER', 'first');
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await eventually(async () => expect(await readWebhook(id)).toHaveProperty('failingSince'));
  await createIncident('ORDER', 'second');
  await createIncident('OTHER', 'elsewhere');
  await eventually(() => expect(receiver.received).toHaveLength(2));
  expect(receiver.received[1]?.event.data.resource.title).toBe('elsewhere');
  expect((await deliveriesOf(id)).at(-1)).toMatchObject({
    status: 'pending',
    tries: 1,
    answerStatus: 503,
    nextTryAt: expect.any(String),
  });
  await makeDue();
  await eventually(() => expect(receiver.received).toHaveLength(4));
  const ofVehicle = receiver.received.filter(({ event }) => event.vehicleid === 'DE*ABC*ORDER');
  expect(ofVehicle.map(({ event }) => event.data.resource.title)).toEqual([
    'first',
    'first',
    'second',
  ]);
  expect(ofVehicle[1]?.headers['webhook-id']).toBe(ofVehicle[0]?.headers['webhook-id']);
  await eventually(async () => expect(await readWebhook(id)).not.toHaveProperty('failingSince'));
});

test('a receiver that does not answer delays no other', async ({ onTestFinished }) => {
  const slow = await startReceiver(() => 'never');
  const quick = await startReceiver();
  onTestFinished(slow.close);
  onTestFinished(quick.close);
  await createVehicle('SLOW');
  await createWebhook({ url: slow.url, types: ['incident.created.v1'] });
  await createWebhook({ url: quick.url, types: ['incident.created.v1'] });
  await createIncident('SLOW', 'one');
  await eventually(() => expect(slow.received).toHaveLength(1));
  await createIncident('SLOW', 'two');
  await eventually(() => expect(quick.received).toHaveLength(2));
  expect(slow.received).toHaveLength(1);
  slow.close();
});

test('the receivers of a provider, however many do not answer, delay those of no other', async ({
  onTestFinished,
}) => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const slow = await startReceiver(() => 'never');
  const quick = await startReceiver();
  onTestFinished(slow.close);
  onTestFinished(quick.close);
  const types = ['vehicle.created.v1'];
  for (let index = 0; index < 5; index++) await createWebhook({ url: slow.url, types });
  const other = await otherProvider();
  await other('POST', '/webhooks', { url: quick.url, types });
  const { db, settings } = service.dependencies;
  deliverers.push(
    startWebhookDeliverer({
      db,
      networks: settings.webhookNetworks,
      onError: (error) => errors.push(error),
      render: numberedEvents(modules.flatMap(({ recordEvents = [] }) => recordEvents)),
      atOnce: { ofProvider: 1, shared: 2 },
    }),
  );
  await createVehicle('MANYSLOW');
  await eventually(() => expect(slow.received).toHaveLength(3));
  await other('PUT', '/FR*XYZ*QUICK', { information: {} });
  await eventually(() => expect(quick.received).toHaveLength(1));
  expect(
    await service.db.query('select from webhook_deliveries where tries > 0 and provider = $1', [
      'DE-ABC',
    ]),
  ).toEqual([]);
  expect(slow.received).toHaveLength(3);
  slow.close();
});

test('a provider whose log is locked delays the webhooks of no other', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const other = await otherProvider();
  const { status } = await other('POST', '/webhooks', { url: receiver.url });
  expect(status).toBe(201);
  await createWebhook({ url: receiver.url, types: ['vehicle.created.v1'] });
  await service.db.transaction(async (tx) => {
    await tx.query(lockSequence, ['FR-XYZ']);
    await other('PUT', '/FR*XYZ*LOCKED', { information: {} });
    await createVehicle('UNLOCKED');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.event.vehicleid).toBe('DE*ABC*UNLOCKED');
  });
  await eventually(() => expect(receiver.received).toHaveLength(2));
});

test('a webhook that its provider keeps locked, or whose secret cannot be opened, delays no other', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const webhook = { url: receiver.url, types: ['vehicle.created.v1'] };
  const [locked, unreadable] = [await createWebhook(webhook), await createWebhook(webhook)];
  await createWebhook(webhook);
  await service.db.query(`update webhooks set sealed_secret = 'nonsense' where id = $1`, [
    unreadable.id,
  ]);
  await service.db.transaction(async (tx) => {
    await tx.query(`select 1 from webhooks where provider = 'DE-ABC' and id = $1 for update`, [
      locked.id,
    ]);
    await createVehicle('WHILELOCKED');
    await eventually(() => expect(receiver.received).toHaveLength(1));
  });
  await eventually(() => expect(receiver.received).toHaveLength(2));
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  expect(errors.splice(0).length).toBeGreaterThan(0);
});

test('webhooks that can send nothing for now rest, and one that fails after it began does as well', async ({
  onTestFinished,
}) => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const webhook = { url: receiver.url, types: ['incident.created.v1'] };
  const [full, waiting, unreadable, healthy] = [
    await createWebhook(webhook),
    await createWebhook(webhook),
    await createWebhook(webhook),
    await createWebhook({ url: receiver.url, types: ['vehicle.created.v1'] }),
  ];
  const insertPending = `
    insert into webhook_deliveries (provider, webhook_id, number, event_id, type, vehicle_id, tries, next_try_at)
    select 'DE-ABC', $1, -number, gen_random_uuid(), 'incident.created.v1', 'DE*ABC*STUCK', 1, now() + interval '1 hour'
    from generate_series(1, $2::int) number`;
  await service.db.query(insertPending, [full.id, 1_000]);
  await service.db.query(insertPending, [waiting.id, 1]);
  await service.db.query(`update webhooks set sealed_secret = 'nonsense' where id = $1`, [
    unreadable.id,
  ]);
  await createVehicle('STUCK');
  await createIncident('STUCK');
  const turns = new Map<string, number>();
  const counting = (db: Database): Database => ({
    ...db,
    forTenant: (...given) => counting(db.forTenant(...given)),
    async query(text, values, budget) {
      const rows = await db.query(text, values, budget);
      if (text.includes('for no key update skip locked'))
        for (const { id } of rows as { id: string }[]) turns.set(id, (turns.get(id) ?? 0) + 1);
      return rows as never;
    },
  });
  const { db, settings } = service.dependencies;
  const deliverer = startWebhookDeliverer({
    db: counting(db),
    networks: settings.webhookNetworks,
    onError: (error) => errors.push(error),
    render: numberedEvents(modules.flatMap(({ recordEvents = [] }) => recordEvents)),
  });
  deliverers.push(deliverer);
  const stuck = [full.id, waiting.id, unreadable.id];
  await eventually(() => expect([...turns.keys()]).toEqual(expect.arrayContaining(stuck)));
  const before = new Map(turns);
  const events = 8;
  for (let index = 1; index <= events; index++) {
    await createVehicle(`STUCK${index}`);
    await eventually(() => expect(receiver.received).toHaveLength(1 + index));
  }
  await deliverer.stop();
  const since = (id: string) => (turns.get(id) ?? 0) - (before.get(id) ?? 0);
  expect(since(healthy.id)).toBeGreaterThanOrEqual(events - 1);
  for (const id of stuck) expect(since(id)).toBeLessThan(events);
  expect(receiver.received.every(({ event }) => event.type === 'vehicle.created.v1')).toBe(true);
  expect(errors.splice(0).length).toBeGreaterThan(0);
});

test('where one more may wait, a turn passes over all events of others, and takes the next of its own', async () => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const { id } = await createWebhook({
    url: 'http://127.0.0.1:9/',
    types: ['incident.created.v1'],
  });
  const webhook = { provider: 'DE-ABC', id } as LeasedWebhook;
  const [last] = await service.db.query<{ number: number }>(
    `select coalesce(max(number), 0)::int as number from event_log where provider = 'DE-ABC'`,
  );
  const begin = last?.number ?? 0;
  const append = (from: number, to: number, type: string) =>
    service.db.query(
      `insert into event_log (provider, number, event_id, type, record_id, occurred_at)
       select 'DE-ABC', number, gen_random_uuid(), $3, 'record', now() from generate_series($1::int, $2::int) number`,
      [begin + from, begin + to, type],
    );
  await append(1, 500, 'vehicle.created.v1');
  await append(501, 502, 'incident.created.v1');
  await append(503, 504, 'vehicle.created.v1');
  await service.db.query(
    `insert into webhook_deliveries (provider, webhook_id, number, event_id, type, tries, next_try_at)
     select 'DE-ABC', $1, -number, gen_random_uuid(), 'incident.created.v1', 1, now() + interval '1 hour'
     from generate_series(1, 999) number`,
    [id],
  );
  await service.db.query(`update webhooks set position = $2 where id = $1`, [id, begin]);
  const taken = async () => {
    const { due, hasMoved } = await takeDue(service.db, webhook);
    return { due: due.map(({ number }) => Number(number) - begin), hasMoved };
  };
  expect(await taken()).toEqual({ due: [501], hasMoved: true });
  expect(await taken()).toEqual({ due: [501], hasMoved: false });
  await service.db.query(`delete from webhook_deliveries where webhook_id = $1 and number < 0`, [
    id,
  ]);
  expect(await taken()).toEqual({ due: [501, 502], hasMoved: true });
  expect(
    await service.db.query('select position::int as at from webhooks where id = $1', [id]),
  ).toEqual([{ at: begin + 504 }]);
  await service.db.query(`delete from event_log where provider = 'DE-ABC' and number > $1`, [
    begin,
  ]);
});

test('a rest ends when the next try of the webhook is due', async () => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const { id } = await createWebhook({ url: 'http://127.0.0.1:9/', types: ['vehicle.created.v1'] });
  await service.db.query(
    `insert into webhook_deliveries (provider, webhook_id, number, event_id, type, tries, next_try_at)
     select 'DE-ABC', $1, -number, gen_random_uuid(), 'vehicle.created.v1', 1, now() + make_interval(secs => number - 1)
     from generate_series(0, 5) number`,
    [id],
  );
  await releaseWebhook(service.db, { provider: 'DE-ABC', id } as LeasedWebhook, { rests: true });
  expect(
    await service.db.query(
      `select from webhooks w
       join webhook_deliveries d on d.provider = w.provider and d.webhook_id = w.id and d.next_try_at = w.leased_until
       where w.id = $1 and w.leased_until > w.created_at`,
      [id],
    ),
  ).toHaveLength(1);
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

test('large events are rendered one at a time, so that many receivers that are slow cost little memory', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await createVehicle('LARGE');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const texts = { notes: 'n'.repeat(10_000), cause: 'c'.repeat(10_000) };
  const damages = Array.from({ length: 20 }, () => ({ ...damage, title: 't'.repeat(9_000) }));
  for (let index = 0; index < 8; index++) {
    const body = { ...incident, ...texts, damages };
    const answer = await service.call('POST', '/DE*ABC*LARGE/incidents', body);
    expect(answer.status).toBe(201);
  }
  const rendered: number[] = [];
  const render = numberedEvents(modules.flatMap(({ recordEvents = [] }) => recordEvents));
  const { db, settings } = service.dependencies;
  deliverers.push(
    startWebhookDeliverer({
      db,
      networks: settings.webhookNetworks,
      onError: (error) => errors.push(error),
      async render(...given) {
        const events = await render(...given);
        rendered.push(JSON.stringify(events).length);
        return events;
      },
    }),
  );
  await eventually(() => expect(receiver.received).toHaveLength(8));
  expect(Math.max(...rendered)).toBeLessThan(1_048_576);
  await eventually(async () =>
    expect((await deliveriesOf(id)).map(({ status }: { status: string }) => status)).toEqual(
      Array.from({ length: 8 }, () => 'delivered'),
    ),
  );
});

test('of many webhooks that are served at a time, few are sent events of several vehicles, rendered in advance', async ({
  onTestFinished,
}) => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const slow = await startReceiver(() => 'never');
  onTestFinished(slow.close);
  const types = ['vehicle.created.v1'];
  for (let index = 0; index < 3; index++)
    await createWebhook({ url: `${slow.url}/${index}`, types });
  await Promise.all(['W1', 'W2', 'W3', 'W4'].map(createVehicle));
  const { db, settings } = service.dependencies;
  const render = numberedEvents(modules.flatMap(({ recordEvents = [] }) => recordEvents));
  const rendered: number[] = [];
  deliverers.push(
    startWebhookDeliverer({
      db,
      networks: settings.webhookNetworks,
      onError: (error) => errors.push(error),
      async render(...given) {
        const events = await render(...given);
        rendered.push(events.length);
        return events;
      },
      wideTurns: 1,
    }),
  );
  await eventually(() => expect(slow.received).toHaveLength(4 + 1 + 1));
  const paths = Map.groupBy(slow.received, ({ path }) => path);
  expect([...paths.values()].map(({ length }) => length).sort()).toEqual([1, 1, 4]);
  expect(rendered.sort()).toEqual([1, 1, 4]);
  slow.close();
});

test('no more events are sent again than may wait at a webhook', async () => {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  await createVehicle('AGAIN');
  const { id } = await createWebhook({ url: 'http://127.0.0.1:9/', types: ['vehicle.created.v1'] });
  const { json } = await service.call('POST', '/events/search', { pagination: { pageSize: 1 } });
  const path = `/webhooks/${id}/deliveries/${json.items[0].sequence}/send`;
  const insertPending = `
    insert into webhook_deliveries (provider, webhook_id, number, event_id, type)
    select 'DE-ABC', $1, 1000000 + number, gen_random_uuid(), 'vehicle.created.v1' from generate_series(1, $2::int) number`;
  await service.db.query(insertPending, [id, 999]);
  expect((await service.call('POST', path)).status).toBe(202);
  expect((await service.call('POST', path)).status).toBe(409);
});

test('410 ends a webhook, which can be enabled again and goes on with what it missed', async ({
  onTestFinished,
}) => {
  let status = 410;
  const receiver = await startReceiver(() => status);
  onTestFinished(receiver.close);
  await createVehicle('GONE');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  await createIncident('GONE', 'one');
  await eventually(async () =>
    expect(await readWebhook(id)).toMatchObject({
      status: 'ended',
      statusReason: 'The receiver answered 410.',
    }),
  );
  await createIncident('GONE', 'two');
  const path = `/webhooks/${id}`;
  const [{ sequence }] = await deliveriesOf(id);
  expect((await service.call('POST', `${path}/deliveries/${sequence}/send`)).status).toBe(409);
  status = 200;
  expect((await service.call('POST', `${path}/enable`)).json).toMatchObject({ status: 'active' });
  await eventually(() => expect(receiver.received).toHaveLength(2));
  expect(receiver.received[1]?.event.data.resource.title).toBe('two');
  expect((await service.call('POST', `${path}/deliveries/${sequence}/send`)).status).toBe(202);
  await eventually(() => expect(receiver.received).toHaveLength(3));
  expect(receiver.received[2]?.headers['webhook-id']).toBe(
    receiver.received[0]?.headers['webhook-id'],
  );
});

test('after three days without success a delivery has failed, and the webhook is paused and says so', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver(() => 500);
  onTestFinished(receiver.close);
  await createVehicle('PAUSED');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  await createIncident('PAUSED');
  await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ tries: 1 }]));
  await service.db.query(`update webhooks set failing_since = now() - interval '80 hours'`);
  await service.db.query(
    `update webhook_deliveries set first_tried_at = now() - interval '73 hours', next_try_at = now()`,
  );
  await eventually(async () =>
    expect(await readWebhook(id)).toMatchObject({
      status: 'paused',
      statusReason: 'Nothing was delivered for three days; last, the receiver answered 500.',
    }),
  );
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', tries: 2 }]);
});

test('two processes deliver every event once while nothing fails', async ({ onTestFinished }) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  startDeliverer();
  for (const vehicle of ['A', 'B', 'C']) await createVehicle(`PAIR${vehicle}`);
  await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  for (let index = 0; index < 10; index++)
    await Promise.all(['A', 'B', 'C'].map((one) => createIncident(`PAIR${one}`, `${index}`)));
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(30));
  for (const vehicle of ['A', 'B', 'C']) {
    const titles = receiver.received
      .filter(({ event }) => event.vehicleid === `DE*ABC*PAIR${vehicle}`)
      .map(({ event }) => event.data.resource.title);
    expect(titles).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
  }
});

/** Changes a webhook while its receiver is at the first of three events of a vehicle; then the receiver answers, and the turn ends. */
async function changeDuringTurn(change: (path: string) => Promise<unknown>, answer = 204) {
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  const { promise: answered, resolve: release } = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (_, count) => {
    if (count === 1) await answered;
    return answer;
  });
  await createVehicle('TURN');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  for (const title of ['one', 'two', 'three']) await createIncident('TURN', title);
  let turns = 0;
  const observed = (db: Database): Database => ({
    ...db,
    forTenant: (...given) => observed(db.forTenant(...given)),
    async query(text, values, budget) {
      const rows = await db.query(text, values, budget);
      if (text.includes('set leased_until = least(')) turns += 1;
      return rows as never;
    },
  });
  const { db, settings } = service.dependencies;
  deliverers.push(
    startWebhookDeliverer({
      db: observed(db),
      networks: settings.webhookNetworks,
      onError: (error) => errors.push(error),
      render: numberedEvents(modules.flatMap(({ recordEvents = [] }) => recordEvents)),
    }),
  );
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await change(`/webhooks/${id}`);
  release();
  await eventually(() => expect(turns).toBeGreaterThan(0));
  return { id, ...receiver };
}

const titlesOf = (received: Received[]) => received.map(({ event }) => event.data.resource.title);

test('nothing more is sent to a webhook that is disabled during its turn, and the rest once it is enabled', async ({
  onTestFinished,
}) => {
  const { id, received, close } = await changeDuringTurn((path) =>
    service.call('POST', `${path}/disable`),
  );
  onTestFinished(close);
  expect(titlesOf(received)).toEqual(['one']);
  await service.call('POST', `/webhooks/${id}/enable`);
  await eventually(() => expect(titlesOf(received)).toEqual(['one', 'two', 'three']));
});

test('nothing more is sent to a webhook that is deleted, or whose provider is disabled, during its turn', async ({
  onTestFinished,
}) => {
  const deleted = await changeDuringTurn((path) => service.call('DELETE', path));
  onTestFinished(deleted.close);
  expect(titlesOf(deleted.received)).toEqual(['one']);
  const ofDisabled = await changeDuringTurn(() => disableProvider(service.db, 'DE-ABC'));
  onTestFinished(ofDisabled.close);
  expect(titlesOf(ofDisabled.received)).toEqual(['one']);
  await enableProvider(service.db, 'DE-ABC');
  await eventually(() => expect(titlesOf(ofDisabled.received)).toEqual(['one', 'two', 'three']));
});

test('what waits goes to a URL that is changed during the turn, which has not failed by what the former one answers', async ({
  onTestFinished,
}) => {
  const next = await startReceiver();
  onTestFinished(next.close);
  const former = await changeDuringTurn(
    (path) => service.call('PUT', path, { url: next.url, types: ['incident.created.v1'] }),
    410,
  );
  onTestFinished(former.close);
  await eventually(() => expect(titlesOf(next.received)).toEqual(['two', 'three']));
  expect(titlesOf(former.received)).toEqual(['one']);
  expect(await readWebhook(former.id)).toMatchObject({ status: 'active' });
  expect(await readWebhook(former.id)).not.toHaveProperty('failingSince');
});

test('redirects are not followed', async ({ onTestFinished }) => {
  const inside = await startReceiver();
  const outside = await startReceiver(() => ({ location: inside.url }));
  onTestFinished(inside.close);
  onTestFinished(outside.close);
  await createVehicle('MOVED');
  const { id } = await createWebhook({ url: outside.url, types: ['incident.created.v1'] });
  await createIncident('MOVED');
  await eventually(async () =>
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', answerStatus: 307 }]),
  );
  expect(inside.received).toEqual([]);
});

test('an address that is not allowed is refused, also when a name leads to it', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
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
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  startDeliverer();
  await createIncident('LOCAL');
  await eventually(async () =>
    expect(await deliveriesOf(id)).toMatchObject([
      { status: 'pending', error: 'localhost has no address that may be reached' },
    ]),
  );
  expect(receiver.received).toEqual([]);
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

test('secrets are shown once, stored sealed, and both sign for a day after a rotation', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
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

test('a test event is posted at once, signed, and leaves no trace in the logs', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver((_, count) => (count === 1 ? 204 : 500));
  onTestFinished(receiver.close);
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

test('nothing is sent while a webhook is disabled, and what it missed once it is enabled', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await createVehicle('PAUSE');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  const { json } = await service.call('POST', `/webhooks/${id}/disable`);
  expect(json).toMatchObject({ status: 'paused', statusReason: 'It was disabled.' });
  await createIncident('PAUSE', 'missed');
  const other = await startReceiver();
  onTestFinished(other.close);
  await createWebhook({ url: other.url, types: ['vehicle.created.v1'] });
  await createVehicle('PAUSE2');
  await eventually(() => expect(other.received).toHaveLength(1));
  expect(receiver.received).toEqual([]);
  await service.call('POST', `/webhooks/${id}/enable`);
  await eventually(() => expect(receiver.received).toHaveLength(1));
});

test('nothing is sent while an asset provider is disabled, and what it missed once it is enabled', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const other = await otherProvider();
  await other('POST', '/webhooks', { url: receiver.url, types: ['vehicle.created.v1'] });
  await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
  await other('PUT', '/FR*XYZ*DISABLED', { information: {} });
  await disableProvider(service.db, 'FR-XYZ');
  onTestFinished(() => enableProvider(service.db, 'FR-XYZ'));
  await createWebhook({ url: receiver.url, types: ['vehicle.created.v1'] });
  await createVehicle('ENABLED');
  startDeliverer();
  await eventually(() => expect(receiver.received).toHaveLength(1));
  expect(receiver.received[0]?.event.vehicleid).toBe('DE*ABC*ENABLED');
  await enableProvider(service.db, 'FR-XYZ');
  await eventually(() => expect(receiver.received).toHaveLength(2));
  expect(receiver.received[1]?.event.vehicleid).toBe('FR*XYZ*DISABLED');
});
