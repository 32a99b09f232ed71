import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { connectBox, startAedes } from '../../testing/start-broker.ts';
import { parseBrokerUrl } from './broker-url.ts';
import { type Delivery, openConnection } from './connection.ts';
import { unacknowledged } from './mqtt-metrics.ts';

afterEach(() => void vi.useRealTimers());

const options = {
  clientId: 'service',
  shares: false,
  group: 'group',
  topic: 'motorpool/+/+/+/messages',
};

const countUnacknowledged = async () => (await unacknowledged.get()).values[0]?.value;

test('of a connection that was closed while much was unacknowledged, nothing is read on, and none counts', async () => {
  const broker = await startAedes();
  const received: Delivery[] = [];
  const connection = await openConnection(parseBrokerUrl(broker.url), {
    ...options,
    receive: (delivery) => received.push(delivery),
  });
  const box = await connectBox(broker);
  for (let count = 0; count < 3_000; count++)
    box.publish('motorpool/DE/ABC/BX-0/messages', 'x', { qos: 1 });
  await expect.poll(() => received.length).toBe(1_000);
  expect(await countUnacknowledged()).toBe(1_000);
  await broker.stop();
  await connection.closed;
  received[0]?.acknowledge();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([received.length, await countUnacknowledged()]).toEqual([1_000, 0]);
  box.end(true);
});

/** To the broker, without its answers to pings, as if they were behind much that is not read yet. */
async function proxyWithoutPings(url: string) {
  const server = createServer((client) => {
    const broker = connect(Number(new URL(url).port), '127.0.0.1');
    client.pipe(broker);
    broker.on('data', (bytes) => {
      if (!bytes.equals(Buffer.from([0xd0, 0]))) client.write(bytes);
    });
    for (const socket of [client, broker]) socket.on('error', () => {});
    client.on('close', () => broker.destroy());
    broker.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `mqtt://127.0.0.1:${port}`, close: () => server.close() };
}

test('a connection whose pings are not answered stays while messages come, and is lost when none do', async () => {
  const broker = await startAedes();
  const proxy = await proxyWithoutPings(broker.url);
  const box = await connectBox(broker);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let received = 0;
  const connection = await openConnection(parseBrokerUrl(proxy.url), {
    ...options,
    receive: (delivery) => {
      received += 1;
      delivery.acknowledge();
    },
  });
  for (let message = 1; message <= 6; message++) {
    box.publish('motorpool/DE/ABC/BX-0/messages', 'x', { qos: 1 });
    await vi.waitUntil(() => received === message, { interval: 5 });
    vi.advanceTimersByTime(15_000);
  }
  const later = new Promise((resolve) => setTimeout(resolve, 50, 'is open'));
  expect(await Promise.race([connection.closed, later])).toBe('is open');
  vi.advanceTimersByTime(60_000);
  expect(await connection.closed).toBe('Keepalive timeout');
  box.end(true);
  proxy.close();
  await broker.stop();
});
