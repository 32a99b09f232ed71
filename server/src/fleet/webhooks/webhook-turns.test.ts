import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { StatementTimeout } from '../../platform/db/statement-timeout.ts';
import { SendRate } from '../../platform/webhooks/send-rate.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { eventually, incident, renderEvents, sender } from '../../testing/webhook-receivers.ts';
import {
  connectionCost,
  type Deliverer,
  type DelivererOptions,
  startDeliverer,
} from './deliver-webhooks.ts';

/** What a turn of a webhook does beside others, and when something fails in it. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let deliverer: Deliverer | undefined;
const errors: unknown[] = [];
afterEach(async () => {
  await deliverer?.stop();
  await service.db.query('delete from webhooks');
  expect(errors.splice(0)).toEqual([]);
});

function start(options: Partial<DelivererOptions> = {}): Deliverer {
  const { db, settings } = service.dependencies;
  deliverer = startDeliverer({
    db,
    sender,
    networks: settings.webhookNetworks,
    onError: (error) => errors.push(error),
    render: renderEvents,
    ...options,
  });
  return deliverer;
}

/** A receiver that accepts what it is sent, or does as it is told with the nth message of a connection. */
async function startReceiver(
  answer: (response: ServerResponse, vehicle: string, nth: number) => void = (response) =>
    response.writeHead(204).end(),
) {
  const received: string[] = [];
  const messages = new Map<Socket, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { vehicleid } = JSON.parse(Buffer.concat(chunks).toString());
    const nth = (messages.get(request.socket) ?? 0) + 1;
    messages.set(request.socket, nth);
    received.push(vehicleid);
    answer(response, vehicleid, nth);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { received, connections: messages, url: `http://127.0.0.1:${port}/` };
}

async function createWebhook(url: string, type = 'vehicle.created.v1') {
  const body = { url, types: [type] };
  expect((await service.call('POST', '/webhooks', body)).status).toBe(201);
}

async function createVehicles(ids: readonly string[]) {
  for (const id of ids) await service.call('PUT', `/DE*ABC*${id}`, { information: {} });
}

/** Tells of all statements; what `onQuery` throws is how one fails. */
function observed(db: Database, onQuery: (text: string) => void): Database {
  return {
    ...db,
    forTenant: (...given) => observed(db.forTenant(...given), onQuery),
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query(text, values, budget) {
            onQuery(text);
            return tx.query(text, values, budget);
          },
        }),
      ),
    query(text, values, budget) {
      onQuery(text);
      return db.query(text, values, budget);
    },
  };
}

test('a webhook whose outcome cannot be recorded is given back once all other tries of its turn have ended', async () => {
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (response, vehicle) => {
    if (vehicle === 'DE*ABC*HELD') await held;
    response.writeHead(204).end();
  });
  await createWebhook(receiver.url);
  await createVehicles(['HELD', 'FAILS']);
  const failure = new Error('cannot be recorded');
  const log: string[] = [];
  start({
    db: observed(service.dependencies.db, (text) => {
      if (text.includes('set leased_until = least(')) log.push('released');
      if (text.includes('select w.provider, w.id,')) log.push('looked for webhooks');
      if (!text.includes('update webhook_deliveries') || log.includes('failed')) return;
      log.push('failed');
      throw failure;
    }),
  });
  const looksSince = () => log.slice(log.indexOf('failed') + 1);
  await eventually(() => expect(log).toContain('failed'));
  await eventually(() => expect(looksSince().length).toBeGreaterThanOrEqual(3));
  expect(log).not.toContain('released');
  answer();
  await eventually(() => expect(log).toContain('released'));
  await deliverer?.stop();
  expect(errors.splice(0)).toEqual([failure]);
  expect(receiver.received.filter((vehicle) => vehicle === 'DE*ABC*HELD')).toHaveLength(1);
});

/** Vehicles whose events are sent at a time. */
const workers = 8;
const manyVehicles = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}${index}`);

/** Every delivery has come with its first try, and the webhook has never failed. */
async function expectDelivered(count: number) {
  await eventually(async () =>
    expect(
      await service.db.query(
        `select d.status, d.tries, w.failing_since, count(*)::int
         from webhook_deliveries d join webhooks w on w.provider = d.provider and w.id = d.webhook_id
         group by 1, 2, 3`,
      ),
    ).toEqual([{ status: 'delivered', tries: 1, failing_since: null, count }]),
  );
}

test('events that take too long to read together are delivered one by one; one that does alone fails, and is tried again', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url);
  await createVehicles(['SLOW', 'ONE', 'TWO']);
  let running = 0;
  start({
    async render(db, provider, numbers, budget) {
      expect(++running).toBe(1);
      const events = await renderEvents(db, provider, numbers, budget);
      running -= 1;
      const isSlow = events.some(({ vehicleid }) => vehicleid === 'DE*ABC*SLOW');
      if (isSlow) throw new StatementTimeout(5_000, undefined);
      return events;
    },
  });
  await eventually(async () =>
    expect(
      await service.db.query(
        'select vehicle_id, status, tries, error from webhook_deliveries order by vehicle_id',
      ),
    ).toEqual([
      { vehicle_id: 'DE*ABC*ONE', status: 'delivered', tries: 1, error: null },
      {
        vehicle_id: 'DE*ABC*SLOW',
        status: 'pending',
        tries: 1,
        error: 'The event takes too long to read.',
      },
      { vehicle_id: 'DE*ABC*TWO', status: 'delivered', tries: 1, error: null },
    ]),
  );
  expect(receiver.received.sort()).toEqual(['DE*ABC*ONE', 'DE*ABC*TWO']);
});

test('the messages of a turn come over as few connections as are sent at a time', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url);
  const vehicles = manyVehicles('FEW');
  await createVehicles(vehicles);
  start();
  await expectDelivered(vehicles.length);
  expect(receiver.received).toHaveLength(vehicles.length);
  expect(receiver.connections.size).toBeLessThanOrEqual(workers);
});

test('a receiver that closes the connections that are kept gets every event, and none counts as failed', async () => {
  const receiver = await startReceiver((response, _vehicle, nth) => {
    if (nth === 1) response.writeHead(204).end();
    else response.socket?.destroy();
  });
  await createWebhook(receiver.url);
  const vehicles = manyVehicles('CLOSED');
  await createVehicles(vehicles);
  start();
  await expectDelivered(vehicles.length);
  expect(new Set(receiver.received).size).toBe(vehicles.length);
  expect([...receiver.connections.values()]).toContain(2);
});

test('answers without end hold up neither their turn nor its end', async () => {
  const receiver = await startReceiver((response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(1_024)));
      response.once('drain', write);
    };
    write();
  });
  await createWebhook(receiver.url);
  const vehicles = manyVehicles('ENDLESS');
  await createVehicles(vehicles);
  start();
  await expectDelivered(vehicles.length);
  await deliverer?.stop();
  await eventually(() =>
    expect([...receiver.connections.keys()].every(({ destroyed }) => destroyed)).toBe(true),
  );
});

test('the webhooks of a provider share what it may send in a second', async () => {
  const receivers = [await startReceiver(), await startReceiver()];
  for (const { url } of receivers) await createWebhook(url);
  const vehicles = manyVehicles('RATE').slice(0, workers);
  await createVehicles(vehicles);
  const waiting: { untilMs: number; end: () => void }[] = [];
  const clock = { now: 0 };
  start({
    sendRate: new SendRate({
      perSecond: 10,
      now: () => clock.now,
      pause: (milliseconds, signal) =>
        new Promise((end) => {
          waiting.push({ untilMs: clock.now + milliseconds, end });
          signal.addEventListener('abort', () => end());
        }),
    }),
  });
  const sent = () => receivers.flatMap(({ received }) => received).length;
  const total = receivers.length * workers;
  await eventually(() => expect(sent() + waiting.length).toBe(total));
  const first = sent();
  expect(first).toBeLessThanOrEqual(10);
  waiting.sort((one, other) => one.untilMs - other.untilMs);
  for (const [index, { untilMs, end }] of waiting.entries()) {
    expect(untilMs).toBeGreaterThanOrEqual((index + 1) * 100);
    expect(sent()).toBe(first + index);
    clock.now = untilMs;
    end();
    await eventually(() => expect(sent()).toBe(first + index + 1));
  }
  await expectDelivered(total);
});

test('a message counts once more for every 16 KiB of it', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, 'incident.created.v1');
  await createVehicles(['LARGE']);
  const large = { ...incident, description: '€'.repeat(10_000) };
  await service.call('POST', '/DE*ABC*LARGE/incidents', large);
  const sendRate = new SendRate({ perSecond: 20, now: () => 0 });
  start({ sendRate });
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await deliverer?.stop();
  // It came on a new connection.
  const left = 20 - 1 - connectionCost - 1;
  expect(sendRate.tryTake('DE-ABC', left + 1)).toBeGreaterThan(0);
  expect(sendRate.tryTake('DE-ABC', left)).toBe(0);
});
