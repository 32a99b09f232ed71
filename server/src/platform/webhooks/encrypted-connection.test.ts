import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { selfSignedCertificate } from '../../testing/certificate.ts';
import { networkList } from '../http/networks.ts';
import { KeptConnection } from './kept-connection.ts';
import type { RunMetered } from './metered-stream.ts';
import { postWebhook } from './post-webhook.ts';

const certificate = selfSignedCertificate();
const defaultCertificates = getCACertificates();
beforeAll(() => setDefaultCACertificates([certificate.cert]));
afterAll(() => setDefaultCACertificates(defaultCertificates));

const accepted = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

type ReceiverOptions = TlsOptions & { onMessage?(socket: TLSSocket): void; run?: RunMetered };

/** A receiver that accepts all messages or does as it is told, and a connection to it. */
async function connect({
  onMessage = (socket) => void socket.write(accepted),
  run = async (work) => work(),
  ...options
}: ReceiverOptions = {}) {
  const sockets: TLSSocket[] = [];
  const receiver = createServer({ ...certificate, ...options }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => onMessage(socket));
  });
  receiver.on('tlsClientError', () => {});
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `https://localhost:${(receiver.address() as AddressInfo).port}/`;
  const connection = new KeptConnection(url, run);
  onTestFinished(() => {
    connection.close();
    receiver.close();
  });
  const networks = networkList(['127.0.0.0/8']);
  return {
    sockets,
    connection,
    send: (timeoutMs = 60_000) =>
      postWebhook({ url, headers: {}, body: '{}' }, { networks, timeoutMs, connection }),
    isKept: () =>
      eventually(() => expect(Object.keys(connection.agent.freeSockets)).toHaveLength(1)),
  };
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

test('messages are sent over one connection, which ends when it is closed', async () => {
  const { send, isKept, sockets, connection } = await connect();
  for (let message = 0; message < 3; message++) {
    expect(await send()).toEqual({ status: 200 });
    await isKept();
  }
  expect(sockets).toHaveLength(1);
  const closed = once(sockets[0] as TLSSocket, 'close');
  connection.close();
  await closed;
});

test('a receiver with a certificate that nobody vouches for is sent nothing', async () => {
  const onMessage = vi.fn();
  const { send } = await connect({ ...selfSignedCertificate(), onMessage });
  expect(await send()).toEqual({ error: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(onMessage).not.toHaveBeenCalled();
});

test('certificates are checked within the metered work, and nothing is before it', async () => {
  const held: (() => void)[] = [];
  const run = async (work: () => void) => void held.push(work);
  const { send, sockets, connection } = await connect({ run });
  const outcome = send();
  let isAnswered = false;
  void outcome.then(() => {
    isAnswered = true;
  });
  const isSecured = () => {
    const [socket] = Object.values(connection.agent.sockets).flat();
    return (socket as TLSSocket | undefined)?.getPeerCertificate().subject !== undefined;
  };
  await eventually(() => expect(held).toHaveLength(1));
  expect(isSecured()).toBe(false);
  held.shift()?.();
  expect(isSecured()).toBe(true);
  await eventually(() => {
    held.shift()?.();
    expect(isAnswered).toBe(true);
  });
  expect(await outcome).toEqual({ status: 200 });
  expect(sockets).toHaveLength(1);
});

test('an answer that waits is not lost where the receiver closes the connection behind it', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isAnswered = false;
  const { send } = await connect({
    onMessage: (socket) => {
      isAnswered = true;
      socket.end(accepted);
    },
    run: async (work) => {
      if (isAnswered) await released;
      work();
    },
  });
  const outcome = send();
  await eventually(() => expect(isAnswered).toBe(true));
  // Until its end has come as well.
  await sleep(100);
  release();
  expect(await outcome).toEqual({ status: 200 });
});

test('a try has its end also while its work waits', async () => {
  const { send, sockets } = await connect({ run: () => new Promise(() => {}) });
  expect(await send(200)).toEqual({ error: 'no answer within 0.2 s' });
  await eventually(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true));
});

test('an error of a connection that is given back between two messages ends nothing', async () => {
  const { send, connection, isKept } = await connect();
  expect(await send()).toEqual({ status: 200 });
  await isKept();
  const [socket] = Object.values(connection.agent.freeSockets).flat();
  socket?.removeListener('error', socket.listeners('error').at(-1) as () => void);
  socket?.emit('error', new Error('reset'));
});

test('no receiver has the connection encrypted anew', async () => {
  const { promise: renegotiated, resolve } = Promise.withResolvers<Error | null>();
  const { send } = await connect({
    maxVersion: 'TLSv1.2',
    onMessage: (socket) => {
      socket.on('error', resolve);
      socket.on('close', () => resolve(new Error('closed')));
      socket.renegotiate({}, (error) => {
        resolve(error);
        socket.write(accepted);
      });
    },
  });
  expect(await send()).toEqual({ error: expect.any(String) });
  expect(await renegotiated).toBeInstanceOf(Error);
});

test('a receiver that speaks no TLS, or ends within it, is a failure', async () => {
  for (const answer of ['HTTP/1.1 200 OK\r\n\r\n', '']) {
    const receiver = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer));
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(() => void receiver.close());
    const url = `https://localhost:${(receiver.address() as AddressInfo).port}/`;
    const connection = new KeptConnection(url, async (work) => work());
    const networks = networkList(['127.0.0.0/8']);
    const options = { networks, timeoutMs: 60_000, connection };
    const outcome = await postWebhook({ url, headers: {}, body: '{}' }, options);
    expect(outcome).toEqual({ error: expect.stringMatching(/^(EPROTO|ECONNRESET)$/) });
    connection.close();
  }
});
