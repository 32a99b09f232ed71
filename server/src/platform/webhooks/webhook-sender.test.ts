import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { networkList } from '../http/networks.ts';
import { WebhookSender } from './webhook-sender.ts';

const sender = new WebhookSender();

async function send(url: string, networks = ['127.0.0.0/8']) {
  const connection = sender.connect({
    tenant: 'DE*ABC',
    networks: networkList(networks),
    timeoutMs: 2_000,
  });
  return connection.send({ url, headers: {}, body: '{}' }).finally(() => connection.close());
}

/** The outcome of a try at a receiver. */
async function sendTo(onConnection: (socket: Socket) => void, scheme = 'http') {
  const receiver = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  return send(`${scheme}://127.0.0.1:${port}/`);
}

/** That of a receiver that sends these bytes. */
const outcomeOf = (answer: string, { thenClose = false } = {}) =>
  sendTo((socket) => {
    socket.once('data', () => (thenClose ? socket.end(answer) : socket.write(answer)));
  });

test.each([
  ['accepts', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204 }],
  ['redirects', 'HTTP/1.1 307 There\r\nLocation: http://[::1]/\r\n\r\n', { status: 307 }],
  [
    'changes the protocol',
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    { status: 101 },
  ],
  ['only says that it is there', 'HTTP/1.1 103 Early Hints\r\n\r\n', { error: expect.any(String) }],
  [
    'never comes to its answer',
    'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000),
    { error: 'too many interim answers' },
  ],
  ['says nothing', '', { error: 'no answer within 2 s' }],
  ['has no end', 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', { status: 200 }],
])('every try has an end: a receiver that %s', async (_name, answer, outcome) => {
  expect(await outcomeOf(answer)).toEqual(outcome);
});

test.each(['', 'nonsense', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'])(
  'also where the receiver closes the connection after %j',
  async (answer) => {
    const outcome = await outcomeOf(answer, { thenClose: true });
    expect(outcome.status ?? outcome.error).toBeDefined();
  },
);

/** What a client offers in its first message (RFC 5246, 7.4.1.2). */
function cipherSuitesOf(hello: Buffer): number[] {
  const sessionId = 5 + 4 + 2 + 32;
  const start = sessionId + 1 + hello.readUInt8(sessionId);
  const length = hello.readUInt16BE(start);
  return Array.from({ length: length / 2 }, (_, index) =>
    hello.readUInt16BE(start + 2 + 2 * index),
  );
}

test('no receiver chooses the size of a Diffie-Hellman group', async () => {
  const { promise: hello, resolve } = Promise.withResolvers<Buffer>();
  await sendTo((socket) => {
    socket.once('data', (data) => {
      resolve(data);
      socket.end();
    });
  }, 'https');
  const offered = cipherSuitesOf(await hello);
  // ECDHE-RSA-AES128-GCM-SHA256, and the DHE-RSA suites of AES and ChaCha20.
  expect(offered).toContain(0xc02f);
  for (const suite of [0x0033, 0x0039, 0x0067, 0x006b, 0x009e, 0x009f, 0xccaa])
    expect(offered).not.toContain(suite);
});

test('a name without a dot is resolved only where networks of the operator are allowed', async () => {
  const refused = { error: 'localhost has no address that may be reached' };
  expect(await send('https://localhost:1/', [])).toEqual(refused);
  expect(await send('https://localhost:1/')).toEqual({ error: 'ECONNREFUSED' });
});

/** A receiver in a thread, which sets the flag when it has been sent a message. */
const receivingThread = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:http').createServer((_, response) => {
    response.writeHead(204).end();
    Atomics.store(workerData, 0, 1);
    Atomics.notify(workerData, 0);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('a message is sent while the thread that asked for it does nothing', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const receiver = new Worker(receivingThread, { eval: true, workerData: flag });
  onTestFinished(() => void receiver.terminate());
  const [port] = await once(receiver, 'message');
  const outcome = send(`http://127.0.0.1:${port}/`);
  expect(Atomics.wait(flag, 0, 0, 60_000)).not.toBe('timed-out');
  expect(await outcome).toEqual({ status: 204 });
});
