import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Connection, type Delivery, openConnection } from './connection.ts';
import { PropertyFilter } from './publish-properties.ts';

const topic = 'motorpool/DE/ABC/BX-0/messages';
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
};

function number(value: number): Buffer {
  const [low, rest] = [value % 128, Math.floor(value / 128)];
  return rest === 0 ? Buffer.of(low) : Buffer.concat([Buffer.of(low | 0x80), number(rest)]);
}

function message(properties: Buffer, payload: Buffer, qos = 1): Buffer {
  const id = qos > 0 ? Buffer.of(0, 7) : Buffer.alloc(0);
  const body = [text(topic), id, number(properties.length), properties, payload];
  const length = body.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.of(0x30 | (qos << 1)), number(length), ...body]);
}

const filtered = async (chunks: Buffer[]) => {
  const filter = new PropertyFilter();
  for (const chunk of chunks) filter.write(chunk);
  filter.end();
  return Buffer.concat(await filter.toArray());
};

test('messages lose their properties, and nothing else changes, however the bytes are divided', async () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((all) => Buffer.from(all));
  const packet = fc.record({
    properties: fc.oneof(bytes(10), bytes(300)),
    payload: fc.oneof(bytes(10), bytes(20_000)),
    qos: fc.constantFrom(0, 1),
  });
  const ping = Buffer.of(0xd0, 0);
  const subscribed = Buffer.of(0x90, 4, 0, 1, 0, 1);
  await fc.assert(
    fc.asyncProperty(
      fc.array(packet, { maxLength: 5 }),
      fc.integer({ min: 1, max: 400 }),
      async (packets, size) => {
        const sent = packets.map((one) => message(one.properties, one.payload, one.qos));
        const expected = packets.map((one) => message(Buffer.alloc(0), one.payload, one.qos));
        const all = Buffer.concat([subscribed, ...sent.flatMap((one) => [one, ping])]);
        const chunks: Buffer[] = [];
        for (let at = 0; at < all.length; at += size) chunks.push(all.subarray(at, at + size));
        expect(await filtered(chunks)).toEqual(
          Buffer.concat([subscribed, ...expected.flatMap((one) => [one, ping])]),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test('a message whose properties are longer than it is ends the connection', async () => {
  const malformed = Buffer.concat([Buffer.of(0x30, 5), text('a'), Buffer.of(9, 0)]);
  await expect(filtered([malformed])).rejects.toThrow('malformed');
});

let server: Server | undefined;
let connection: Connection | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await connection?.closed;
  server?.close();
});

/** A broker that sends one message to whoever subscribes. */
async function startBroker(sent: Buffer): Promise<number> {
  const answers: Record<number, (id: Buffer) => Buffer[]> = {
    1: () => [Buffer.of(0x20, 3, 0, 0, 0)],
    8: (id) => [Buffer.of(0x90, 4), id, Buffer.of(0, 1)],
    10: (id) => [Buffer.of(0xb0, 4), id, Buffer.of(0, 0), sent],
  };
  server = createServer((socket) => {
    sockets.push(socket);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let length = received[1]; length !== undefined; length = received[1]) {
        if (received.length < length + 2) return;
        const answer = answers[(received[0] ?? 0) >> 4]?.(received.subarray(2, 4)) ?? [];
        socket.write(Buffer.concat(answer));
        received = received.subarray(length + 2);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('the library is given no properties of messages: it would refuse those that it does not know', async () => {
  const unknown = Buffer.of(0x7f, 1);
  const port = await startBroker(message(unknown, Buffer.from('payload')));
  const delivered = Promise.withResolvers<Delivery>();
  const address = { host: '127.0.0.1', port, path: undefined };
  connection = await openConnection(
    { protocol: 'mqtt', ...address, username: undefined, password: undefined },
    { clientId: 'one', shares: false, group: 'all', topic, receive: delivered.resolve },
  );
  expect(connection.version).toBe(5);
  const { payload } = await Promise.race([
    delivered.promise,
    connection.closed.then((reason) => Promise.reject(new Error(reason))),
  ]);
  expect(payload.toString()).toBe('payload');
});
