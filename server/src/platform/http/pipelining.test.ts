import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { largeBodyCost, maxPipelined } from './pipelining.ts';
import { createServer } from './server.ts';

const app = createServer({
  logger: pino({ enabled: false }),
  trustProxy: false,
  secure: false,
  publicUrl: () => 'http://127.0.0.1:8080',
});
let started: string[];
let proceed: (() => void)[];
app.get<{ Params: { name: string } }>('/slow/:name', async ({ params }) => {
  started.push(params.name);
  await new Promise<void>((resolve) => proceed.push(resolve));
  return `<${params.name}>`;
});
app.get('/quick', async () => 'quick');

beforeAll(() => app.listen({ host: '127.0.0.1', port: 0 }));
afterAll(() => app.close());
beforeEach(() => {
  started = [];
  proceed = [];
});

function open(): { socket: Socket; received: () => string } {
  const address = app.server.address();
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  return { socket, received: () => text };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const answersIn = (text: string) => text.match(/<\w+>|quick/g) ?? [];

test('requests of one connection are served one at a time, and answered in order', async () => {
  const { socket, received } = open();
  socket.write(['/slow/a', '/slow/b', '/quick', '/nowhere', '/slow/c'].map(request).join(''));
  for (const [index, expected] of [['a'], ['a', 'b'], ['a', 'b', 'c']].entries()) {
    await expect.poll(() => started).toEqual(expected);
    await sleep(50);
    expect(started).toEqual(expected);
    proceed[index]?.();
  }
  await expect.poll(() => answersIn(received())).toEqual(['<a>', '<b>', 'quick', '<c>']);
  expect(received().match(/HTTP\/1.1 \d+/g)).toHaveLength(5);
  socket.destroy();
});

test('a connection is closed with more unanswered requests than a client pipelines', async () => {
  const within = open();
  within.socket.write(request('/slow/a') + request('/quick').repeat(maxPipelined));
  await expect.poll(() => started).toEqual(['a']);
  proceed[0]?.();
  await expect.poll(() => answersIn(within.received()).length).toBe(maxPipelined + 1);
  within.socket.write(request('/quick'));
  await expect.poll(() => answersIn(within.received()).length).toBe(maxPipelined + 2);
  within.socket.destroy();

  const beyond = open();
  beyond.socket.write(request('/slow/b') + request('/slow/c').repeat(maxPipelined + 1));
  await expect.poll(() => beyond.socket.closed).toBe(true);
  proceed[1]?.();
  await sleep(50);
  expect(started).toEqual(['a', 'b']);
});

const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
const chunks = (count: number) => `${'1\r\na\r\n'.repeat(count)}0\r\n\r\n`;

const maxLarge = maxPipelined / largeBodyCost;

test.each([
  ['large', `Content-Length: 60000\r\n\r\n${'a'.repeat(60_000)}`],
  ['chunked', `${chunked}${chunks(5)}`],
])('a connection on which many %s bodies wait is closed', async (_name, body) => {
  const { socket } = open();
  socket.write(request('/slow/a'));
  await expect.poll(() => started).toEqual(['a']);
  socket.write(`POST /quick HTTP/1.1\r\nHost: a\r\n${body}`.repeat(maxLarge + 1));
  await expect.poll(() => socket.closed).toBe(true);
});

test('bodies of a few chunks wait for their turn', async () => {
  const { socket, received } = open();
  socket.write(request('/slow/a'));
  socket.write(`POST /quick HTTP/1.1\r\nHost: a\r\n${chunked}${chunks(5)}`.repeat(maxLarge));
  await expect.poll(() => started).toEqual(['a']);
  proceed[0]?.();
  await expect.poll(() => received().match(/HTTP\/1.1 \d+/g)?.length).toBe(maxLarge + 1);
  socket.destroy();
});

describe('tiny chunks of a body that waits for its turn close the connection', () => {
  test.each([
    ['', 'Host: a\r\n'],
    [' without a Host', ''],
    [' with an expectation', 'Host: a\r\nExpect: more\r\n'],
    [' that asks for an upgrade', 'Host: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n'],
  ])('of a request%s', async (_what, headers) => {
    const { socket } = open();
    socket.write(`${request('/slow/a')}POST /quick HTTP/1.1\r\n${headers}${chunked}`);
    await expect.poll(() => started).toEqual(['a']);
    socket.write(chunks(20_000));
    await expect.poll(() => socket.closed).toBe(true);
  });

  test('of many requests', async () => {
    const { socket } = open();
    socket.write(request('/slow/a'));
    await expect.poll(() => started).toEqual(['a']);
    socket.write(`POST /quick HTTP/1.1\r\nHost: a\r\n${chunked}${chunks(900)}`.repeat(50));
    await expect.poll(() => socket.closed).toBe(true);
  });

  test('of a request that tells its length', async () => {
    const { socket } = open();
    socket.setNoDelay();
    socket.write(
      `${request('/slow/a')}POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`,
    );
    await expect.poll(() => started).toEqual(['a']);
    for (let sent = 0; sent < 20_000 && !socket.destroyed; sent += 1) {
      socket.write('a');
      // Each is read before the next is sent.
      await setImmediate();
    }
    await expect.poll(() => socket.closed).toBe(true);
  });
});

test('what a client pipelined is not started once it has hung up', async () => {
  const { socket } = open();
  socket.write(request('/slow/a') + request('/slow/b').repeat(20));
  await expect.poll(() => started).toEqual(['a']);
  socket.resetAndDestroy();
  await sleep(50);
  proceed[0]?.();
  await sleep(50);
  expect(started).toEqual(['a']);
});
