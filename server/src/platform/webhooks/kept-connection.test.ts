import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { networkList } from '../http/networks.ts';
import { KeptConnection } from './kept-connection.ts';
import { postWebhook } from './post-webhook.ts';

/** A receiver that does as it is told with the nth message of a connection, and a connection to it. */
async function connect(onMessage: (socket: Socket, nth: number) => void) {
  const sockets: Socket[] = [];
  const receiver = createServer((socket) => {
    let messages = 0;
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      messages += 1;
      onMessage(socket, messages);
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  let connects = 0;
  const connection = new KeptConnection(url, async (work) => work());
  onTestFinished(() => {
    connection.close();
    receiver.close();
  });
  return {
    sockets,
    connection,
    connects: () => connects,
    send: (body = '{}') =>
      postWebhook(
        { url, headers: {}, body },
        {
          networks: networkList(['127.0.0.0/8']),
          timeoutMs: 60_000,
          connection,
          onConnect: () => {
            connects += 1;
          },
        },
      ),
    isKept: () =>
      eventually(() => expect(Object.keys(connection.agent.freeSockets)).toHaveLength(1)),
  };
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

const accepted = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test('messages are sent over one connection, which ends when it is closed', async () => {
  const { send, isKept, sockets, connection, connects } = await connect((socket) =>
    socket.write(accepted),
  );
  for (let message = 0; message < 3; message++) {
    expect(await send()).toEqual({ status: 200 });
    await isKept();
  }
  expect([sockets.length, connects()]).toEqual([1, 1]);
  const closed = once(sockets[0] as Socket, 'close');
  connection.close();
  await closed;
});

const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
const tiny = '1\r\nx\r\n';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['too large', chunked + chunk.repeat(17)],
  ['in too many chunks', chunked + tiny.repeat(257)],
])('a body that is %s ends its connection', async (_name, answer) => {
  const { send, sockets } = await connect((socket) => socket.write(answer));
  expect(await send()).toEqual({ status: 200 });
  await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
  expect(await send()).toEqual({ status: 200 });
  expect(sockets).toHaveLength(2);
});

test('a body that does not come is waited for neither by its try nor by the next, which ends its connection', async () => {
  const { send, sockets } = await connect((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
  );
  for (let message = 0; message < 3; message++) expect(await send()).toEqual({ status: 200 });
  expect(sockets).toHaveLength(3);
  await eventually(() =>
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false]),
  );
});

test('an answer that comes before the message was sent ends its connection', async () => {
  const { send, sockets, connection } = await connect((socket) => {
    socket.pause();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  // More than what the sockets of both sides take.
  const body = 'x'.repeat(32 * 1_048_576);
  for (let message = 0; message < 2; message++) expect(await send(body)).toEqual({ status: 200 });
  expect(sockets).toHaveLength(2);
  await eventually(() => expect(Object.keys(connection.agent.sockets)).toEqual([]));
});

test('a kept connection that the receiver has closed is replaced within the try', async () => {
  const { send, isKept, sockets, connects } = await connect((socket, nth) =>
    nth === 1 ? socket.write(accepted) : socket.resetAndDestroy(),
  );
  for (let message = 0; message < 3; message++) {
    expect(await send()).toEqual({ status: 200 });
    await isKept();
  }
  expect([sockets.length, connects()]).toEqual([3, 3]);
});

test('a new connection that the receiver closes is a failure, and so is one that it closes within its answer', async () => {
  const closing = await connect((socket) => socket.resetAndDestroy());
  expect(await closing.send()).toEqual({ error: 'ECONNRESET' });
  expect(closing.sockets).toHaveLength(1);
  const interim = await connect((socket, nth) => {
    if (nth === 1) socket.write(accepted);
    else socket.end('HTTP/1.1 102 Processing\r\n\r\n');
  });
  expect(await interim.send()).toEqual({ status: 200 });
  await interim.isKept();
  expect(await interim.send()).toEqual({ error: 'ECONNRESET' });
  expect(interim.sockets).toHaveLength(1);
});
