import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableProvider, enableProvider } from '../../auth/providers.ts';
import type { Database } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  eventually,
  type Received,
  startReceiver,
  useWebhooks,
} from '../../testing/webhook-receivers.ts';

/** What is delivered, when, and what is delivered again: to real receivers on this machine. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const {
  startDeliverer,
  startDelivererWith,
  stopDeliverers,
  createVehicle,
  createIncident,
  createWebhook,
  readWebhook,
  deliveriesOf,
  otherProvider,
} = useWebhooks(() => service);

/** As after the pause before the next try. */
const makeDue = () =>
  service.db.query(
    'update webhook_deliveries set next_try_at = now() where next_try_at is not null',
  );

test('events of the subscribed types are delivered once they are committed, and no others', async () => {
  const receiver = await startReceiver();
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

test('what fails is tried again with the same id, and later events of the vehicle wait for it', async () => {
  const receiver = await startReceiver((_, count) => (count === 1 ? 503 : 200));
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

test('410 ends a webhook, which can be enabled again and goes on with what it missed', async () => {
  let status = 410;
  const receiver = await startReceiver(() => status);
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

test('after three days without success a delivery has failed, and the webhook is paused and says so', async () => {
  const receiver = await startReceiver(() => 500);
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

test('no more events are sent again than may wait at a webhook', async () => {
  await stopDeliverers();
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

test('two processes deliver every event once while nothing fails', async () => {
  const receiver = await startReceiver();
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

test('redirects are not followed', async () => {
  const inside = await startReceiver();
  const outside = await startReceiver(() => ({ location: inside.url }));
  await createVehicle('MOVED');
  const { id } = await createWebhook({ url: outside.url, types: ['incident.created.v1'] });
  await createIncident('MOVED');
  await eventually(async () =>
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', answerStatus: 307 }]),
  );
  expect(inside.received).toEqual([]);
});

test('nothing is sent while a webhook is disabled, and what it missed once it is enabled', async () => {
  const receiver = await startReceiver();
  await createVehicle('PAUSE');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  const { json } = await service.call('POST', `/webhooks/${id}/disable`);
  expect(json).toMatchObject({ status: 'paused', statusReason: 'It was disabled.' });
  await createIncident('PAUSE', 'missed');
  const other = await startReceiver();
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
  const other = await otherProvider();
  await other('POST', '/webhooks', { url: receiver.url, types: ['vehicle.created.v1'] });
  await stopDeliverers();
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

/** Changes a webhook while its receiver is at the first of three events of a vehicle; then the receiver answers, and the turn ends. */
async function changeDuringTurn(change: (path: string) => Promise<unknown>, answer = 204) {
  await stopDeliverers();
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
  startDelivererWith({ db: observed(service.dependencies.db) });
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await change(`/webhooks/${id}`);
  release();
  await eventually(() => expect(turns).toBeGreaterThan(0));
  return { id, received: receiver.received };
}

const titlesOf = (received: Received[]) => received.map(({ event }) => event.data.resource.title);

test('nothing more is sent to a webhook that is disabled during its turn, and the rest once it is enabled', async () => {
  const { id, received } = await changeDuringTurn((path) =>
    service.call('POST', `${path}/disable`),
  );
  expect(titlesOf(received)).toEqual(['one']);
  await service.call('POST', `/webhooks/${id}/enable`);
  await eventually(() => expect(titlesOf(received)).toEqual(['one', 'two', 'three']));
});

test('nothing more is sent to a webhook that is deleted, or whose provider is disabled, during its turn', async () => {
  const deleted = await changeDuringTurn((path) => service.call('DELETE', path));
  expect(titlesOf(deleted.received)).toEqual(['one']);
  const ofDisabled = await changeDuringTurn(() => disableProvider(service.db, 'DE-ABC'));
  expect(titlesOf(ofDisabled.received)).toEqual(['one']);
  await enableProvider(service.db, 'DE-ABC');
  await eventually(() => expect(titlesOf(ofDisabled.received)).toEqual(['one', 'two', 'three']));
});

test('what is erased during a turn is not in what is sent after that, also where it was rendered before', async () => {
  const { received } = await changeDuringTurn(() =>
    service.owner.query('update event_log set erased = true, before = null, after = null'),
  );
  await eventually(() => expect(received).toHaveLength(3));
  const [first, ...later] = received.map(({ event }) => event.data);
  expect(first).toMatchObject({ resource: { title: 'one' } });
  expect(later).toEqual([{ erased: true }, { erased: true }]);
});

test('what waits goes to a URL that is changed during the turn, which has not failed by what the former one answers', async () => {
  const next = await startReceiver();
  const former = await changeDuringTurn(
    (path) => service.call('PUT', path, { url: next.url, types: ['incident.created.v1'] }),
    410,
  );
  await eventually(() => expect(titlesOf(next.received)).toEqual(['two', 'three']));
  expect(titlesOf(former.received)).toEqual(['one']);
  expect(await readWebhook(former.id)).toMatchObject({ status: 'active' });
  expect(await readWebhook(former.id)).not.toHaveProperty('failingSince');
});
