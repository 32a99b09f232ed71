import { expect, test } from 'vitest';
import { connectBox, startAedes } from '../../testing/start-broker.ts';
import { parseBrokerUrl } from './broker-url.ts';
import { type Delivery, openConnection } from './connection.ts';
import { unacknowledged } from './mqtt-metrics.ts';

const countUnacknowledged = async () => (await unacknowledged.get()).values[0]?.value;

test('of a connection that was closed while much was unacknowledged, nothing is read on, and none counts', async () => {
  const broker = await startAedes();
  const received: Delivery[] = [];
  const connection = await openConnection(parseBrokerUrl(broker.url), {
    clientId: 'service',
    shares: false,
    group: 'group',
    topic: 'motorpool/+/+/+/messages',
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
