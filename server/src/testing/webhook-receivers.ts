import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { numberedEvents } from '../fleet/event-log/public.ts';
import { modules } from '../fleet/index.ts';
import { startDeliverer as startWebhookDeliverer } from '../fleet/webhooks/deliver-webhooks.ts';
import { WebhookSender } from '../platform/webhooks/webhook-sender.ts';
import type { TestService } from './test-service.ts';

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; event: Event };
// biome-ignore lint/suspicious/noExplicitAny: events of every shape.
type Event = { id: string; type: string; vehicleid?: string; sequence: string; data: any };
type Answer = number | { location: string } | 'never';

export const sender = new WebhookSender();

type DelivererOptions = Parameters<typeof startWebhookDeliverer>[0];

/** A receiver on this machine, which answers as it is told; until the test ends. */
export async function startReceiver(
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
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { received, url: `http://127.0.0.1:${port}/events`, close };
}

export const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };

export const renderEvents = numberedEvents(
  modules.flatMap(({ recordEvents = [] }) => recordEvents),
);

export const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** What tests of webhooks do on the service of their file: each begins with a deliverer, and ends without webhooks. */
export function useWebhooks(serviceOf: () => TestService) {
  let deliverers: { stop(): Promise<void> }[] = [];
  /** What deliverers have told; a test that expects something takes it out. */
  const errors: unknown[] = [];

  function startDeliverer() {
    const [module] = modules.filter(({ name }) => name === 'webhooks');
    const deliverer = module?.runBeside?.(serviceOf().dependencies, (error) => errors.push(error));
    if (!deliverer) throw new Error('nothing runs');
    deliverers.push(deliverer);
  }
  function startDelivererWith(options: Partial<DelivererOptions>) {
    const { db, settings } = serviceOf().dependencies;
    const deliverer = startWebhookDeliverer({
      db,
      sender,
      networks: settings.webhookNetworks,
      onError: (error) => errors.push(error),
      render: renderEvents,
      ...options,
    });
    deliverers.push(deliverer);
  }
  const stopDeliverers = () => Promise.all(deliverers.map((deliverer) => deliverer.stop()));

  beforeEach(startDeliverer);
  afterEach(async () => {
    await stopDeliverers();
    deliverers = [];
    await serviceOf().db.query('delete from webhooks');
    expect(errors.splice(0)).toEqual([]);
  });

  return {
    errors,
    startDeliverer,
    startDelivererWith,
    stopDeliverers,
    async createVehicle(id: string) {
      await serviceOf().call('PUT', `/DE*ABC*${id}`, { information: {} });
    },
    async createIncident(vehicle: string, title = 'Scratch'): Promise<string> {
      const { json } = await serviceOf().call('POST', `/DE*ABC*${vehicle}/incidents`, {
        ...incident,
        title,
      });
      return json.id;
    },
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    async createWebhook(settings: object): Promise<any> {
      const { status, json } = await serviceOf().call('POST', '/webhooks', settings);
      expect(status).toBe(201);
      return json;
    },
    readWebhook: async (id: string) => (await serviceOf().call('GET', `/webhooks/${id}`)).json,
    deliveriesOf: async (id: string) =>
      (await serviceOf().call('POST', `/webhooks/${id}/deliveries/search`, {})).json.items,
    async otherProvider() {
      const token = await serviceOf().token('FR-XYZ');
      return (method: string, path: string, body: object) =>
        serviceOf().send({
          method,
          path: `/api/fleets/v1/FR/XYZ${path}`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
    },
  };
}
