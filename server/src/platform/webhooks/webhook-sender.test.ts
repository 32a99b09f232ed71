import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { networkList } from '../http/networks.ts';
import { WebhookSender } from './webhook-sender.ts';

const sender = new WebhookSender();

async function send(url: string, networks = ['127.0.0.0/8'], tenant = 'DE-ABC') {
  const connection = sender.connect({
    tenant,
    networks: networkList(networks),
    timeoutMs: 2_000,
  });
  return connection.send({ url, headers: {}, body: '{}' }).finally(() => connection.close());
}

/** The outcome of a try at a receiver. */
async function sendTo(onConnection: (socket: Socket) => void, scheme = 'http', tenant = 'DE-ABC') {
  const receiver = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  return send(`${scheme}://127.0.0.1:${port}/`, ['127.0.0.0/8'], tenant);
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

test('a message is sent while whoever asked for it does nothing', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const receiver = new Worker(receivingThread, { eval: true, workerData: flag });
  onTestFinished(() => void receiver.terminate());
  const [port] = await once(receiver, 'message');
  const outcome = send(`http://127.0.0.1:${port}/`);
  expect(Atomics.wait(flag, 0, 0, 60_000)).not.toBe('timed-out');
  expect(await outcome).toEqual({ status: 204 });
});

/**
 * A certificate with a key on a curve of its own over a prime p = k · 2^649 + 1. To read it takes two square roots modulo p, the
 * time of which is quadratic in that exponent.
 */
const slowCertificate = Buffer.from(
  'MIIBcjCCAV4CAQEwCgYIKoZIzj0EAwIwADAeFw0yNTAxMDEwMDAwMDBaFw0zNTAxMDEwMDAwMDBaMAAwggEnMIHO' +
    'BgcqhkjOPQIBMIHCAgEBMF0GByqGSM49AQECUi4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEwBgQBAQQBAQRTAiJyQc++EDCH3AwG' +
    'rN3ezIJuBg2hdqdayNJHJpVatVSP3cVhmnIisUgF6rUjv5GjEjT+GmXyWfD6m0Z2oNMHP6nOd5/l20v2D119Ukzv' +
    'ZjojwQsCAQcDVAACDzNhzsiS7ywbWQ+EB0FzqbyhFu0OH7iE2ciQ/YRqBbOiuwX3OpqrvnixfXgquANL6XFCt8yZ' +
    'xDlWM/ayXdLYoVMwIJs9NWbWX6zs3eN2+wDUsjAKBggqhkjOPQQDAgMCAAA=',
  'base64',
);

/** The beginning of a handshake of TLS 1.2 with many of them. */
function slowHandshake(): Buffer {
  const withLength = (bytes: number, content: Buffer) => {
    const length = Buffer.alloc(bytes);
    length.writeUIntBE(content.length, 0, bytes);
    return Buffer.concat([length, content]);
  };
  const message = (type: number, content: Buffer) =>
    Buffer.concat([Buffer.from([type]), withLength(3, content)]);
  const hello = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 1),
    // No session, ECDHE-RSA-AES128-GCM-SHA256, no compression, secure renegotiation.
    Buffer.from([0, 0xc0, 0x2f, 0, 0, 5, 0xff, 1, 0, 1, 0]),
  ]);
  const certificates = Buffer.concat(Array(40).fill(withLength(3, slowCertificate)));
  const messages = Buffer.concat([message(2, hello), message(11, withLength(3, certificates))]);
  return Buffer.concat([Buffer.from([22, 3, 3]), withLength(2, messages)]);
}

test('certificates that take too long to check end the process: their tenant sends nothing for a while, and others lose nothing', async () => {
  const handshake = slowHandshake();
  const { promise: answerOther, resolve: checksCertificates } = Promise.withResolvers<void>();
  const sendSlow = () =>
    sendTo(
      (socket) => {
        socket.once('data', () => {
          socket.write(handshake);
          checksCertificates();
        });
      },
      'https',
      'FR-SLOW',
    );
  let tries = 0;
  const other = sendTo((socket) => {
    socket.once('data', async () => {
      tries += 1;
      await answerOther;
      // The first process is busy then, and never reads it.
      if (tries > 1) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  const tooLong = { error: 'the encryption of a connection took too long' };
  expect(await sendSlow()).toEqual(tooLong);
  expect(await other).toEqual({ status: 204 });
  expect(await send('https://localhost:1/', ['127.0.0.0/8'], 'FR-SLOW')).toEqual(tooLong);
});
