import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { numberedEvents } from '../event-log/public.ts';
import { modules } from '../index.ts';
import { type Deliverer, type DelivererOptions, startDeliverer } from './deliver-webhooks.ts';

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
    networks: settings.webhookNetworks,
    onError: (error) => errors.push(error),
    render: numberedEvents(modules.flatMap(({ recordEvents = [] }) => recordEvents)),
    ...options,
  });
  return deliverer;
}

/** A receiver that accepts what it has received once `until` allows it. */
async function startReceiver(until: (vehicle: string) => Promise<void> | void = () => {}) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { vehicleid } = JSON.parse(Buffer.concat(chunks).toString());
    received.push(vehicleid);
    await until(vehicleid);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { received, url: `http://127.0.0.1:${port}/` };
}

async function createWebhook(url: string) {
  const body = { url, types: ['vehicle.created.v1'] };
  expect((await service.call('POST', '/webhooks', body)).status).toBe(201);
}

async function createVehicles(ids: readonly string[]) {
  for (const id of ids) await service.call('PUT', `/DE*ABC*${id}`, { information: {} });
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** Tells of all statements; what `onQuery` throws is how one fails. */
function observed(db: Database, onQuery: (text: string, values?: unknown[]) => void): Database {
  return {
    ...db,
    forTenant: (...given) => observed(db.forTenant(...given), onQuery),
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query(text, values, budget) {
            onQuery(text, values);
            return tx.query(text, values, budget);
          },
        }),
      ),
    query(text, values, budget) {
      onQuery(text, values);
      return db.query(text, values, budget);
    },
  };
}

test('a webhook whose outcome cannot be recorded is given back once all other tries of its turn have ended', async () => {
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const receiver = await startReceiver((vehicle) => (vehicle === 'DE*ABC*HELD' ? held : undefined));
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
