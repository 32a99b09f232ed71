import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { networkList } from '../http/networks.ts';
import { sendWebhook } from './send-webhook.ts';

/** The outcome of a try at a receiver that sends these bytes. */
async function outcomeOf(answer: string, { thenClose = false } = {}) {
  const receiver = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (thenClose ? socket.end(answer) : socket.write(answer)));
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  return sendWebhook(
    { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' },
    { networks: networkList(['127.0.0.0/8']), timeoutMs: 2_000 },
  );
}

test.each([
  ['accepts', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204 }],
  ['redirects', 'HTTP/1.1 307 There\r\nLocation: http://[::1]/\r\n\r\n', { status: 307 }],
  [
    'changes the protocol',
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    { status: 101 },
  ],
  ['only says that it is there', 'HTTP/1.1 103 Early Hints\r\n\r\n', { error: expect.any(String) }],
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
