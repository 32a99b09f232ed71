import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { networkList } from '../http/networks.ts';
import { sendWebhook } from './send-webhook.ts';

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
  return sendWebhook(
    { url: `${scheme}://127.0.0.1:${port}/`, headers: {}, body: '{}' },
    { networks: networkList(['127.0.0.0/8']), timeoutMs: 2_000 },
  );
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
