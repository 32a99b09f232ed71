import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { createServed, type Served } from '../testing/serve.ts';
import { requestToken } from '../testing/test-service.ts';
import { mebibytes, recordFigure } from './figures.ts';
import { percentile, sampleReads } from './load.ts';
import { residentBytes } from './resident-bytes.ts';
import { withoutLimits } from './without-limits.ts';

const idle = 5_000;
const slow = 200;
const stalled = 20;
/** More answers than the buffers of a socket hold, which Linux lets grow to 36 MiB. */
const unread = 64;
const patience = { timeout: 180_000 };
const base = '/api/fleets/v1/DE/ABC';

let served: Served;
let service: Awaited<ReturnType<Served['start']>>;
let ids: string[];
beforeAll(async () => {
  served = await createServed();
  ids = (await makeFleet(served.db, 'DE', 'ABC', 1_000)).map(({ asset }) => asset.id);
  service = await served.start(withoutLimits);
});
afterAll(() => served.close());

const readAsUsual = (ms: number) =>
  sampleReads({ url: service.url, base, token: service.token }, ids, ms);

type Opened = { socket: Socket; received: string; isClosed: boolean };

async function open(first: string): Promise<Opened> {
  const { hostname, port } = new URL(service.url);
  const opened: Opened = { socket: connect(Number(port), hostname), received: '', isClosed: false };
  opened.socket
    .on('data', (chunk) => {
      opened.received += chunk;
    })
    .on('error', () => {})
    .on('close', () => {
      opened.isClosed = true;
    });
  await new Promise((resolve) => opened.socket.once('connect', resolve));
  if (first) opened.socket.write(first);
  return opened;
}

async function openMany(count: number, first: string): Promise<Opened[]> {
  const all: Opened[] = [];
  while (all.length < count)
    all.push(...(await Promise.all(Array.from({ length: 100 }, () => open(first)))));
  return all;
}

const closed = (all: readonly Opened[]) => all.filter(({ isClosed }) => isClosed).length;

test(`${idle} idle connections: the service answers as usual`, async () => {
  await readAsUsual(5_000);
  const usual = await readAsUsual(10_000);
  const before = residentBytes(service.pid);
  const all = await openMany(idle, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => all.filter(({ received }) => !received).length, patience).toBe(0);
  const beside = await readAsUsual(10_000);
  const each = (residentBytes(service.pid) - before) / idle / 1_024;
  for (const { socket } of all) socket.destroy();
  expect(beside.filter(({ status }) => status !== 200)).toEqual([]);
  const [p50, p50Beside] = [percentile(usual, 0.5), percentile(beside, 0.5)];
  recordFigure(
    'idle connections',
    `${idle}: p50 of reads ${p50Beside.toFixed(1)} ms, ${p50.toFixed(1)} ms without them; ${each.toFixed(0)} KiB each`,
  );
});

test('headers that never end are answered with 408, others as usual', async () => {
  const all = await openMany(slow, 'GET /health/live HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => {
    for (const { socket } of all) if (socket.writable) socket.write('x: y\r\n');
  }, 1_000);
  const beside = await readAsUsual(10_000);
  await expect.poll(() => closed(all), { timeout: 60_000 }).toBe(slow);
  clearInterval(drip);
  expect(all.filter(({ received }) => received.startsWith('HTTP/1.1 408'))).toHaveLength(slow);
  expect(beside.filter(({ status }) => status !== 200)).toEqual([]);
  recordFigure(
    'slow headers',
    `${slow} connections, each closed with 408; ${beside.length} reads beside them answered`,
  );
});

test('bodies that never end are cut off, others are answered as usual', async () => {
  const head = `POST ${base}/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  const all = await openMany(slow, head);
  const drip = setInterval(() => {
    for (const { socket } of all) if (socket.writable) socket.write(' ');
  }, 1_000);
  const beside = await readAsUsual(10_000);
  await expect.poll(() => closed(all), { timeout: 120_000 }).toBe(slow);
  clearInterval(drip);
  expect(beside.filter(({ status }) => status !== 200)).toEqual([]);
  recordFigure(
    'slow bodies',
    `${slow} connections, each closed; ${beside.length} reads beside them answered`,
  );
});

test('clients that do not read their answers are cut off, and others are answered as usual', async () => {
  const before = residentBytes(service.pid);
  const body = '{"pagination":{"pageSize":1000}}';
  const head = `POST ${base}/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const all: Opened[] = [];
  for (let count = 0; count < stalled; count += 1) {
    const opened = await open('');
    opened.socket.pause();
    opened.socket.write(head.repeat(unread));
    all.push(opened);
    await sleep(50);
  }
  const beside = await readAsUsual(10_000);
  const grown = residentBytes(service.pid) - before;
  expect(beside.filter(({ status }) => status !== 200)).toEqual([]);
  // Longer than a connection may be without data: docs/guides/limits.md.
  await sleep(150_000);
  for (const { socket } of all) socket.resume();
  await expect.poll(() => closed(all), patience).toBe(stalled);
  const answers = all.map(({ received }) => received.split('HTTP/1.1 200').length - 1);
  expect(Math.max(...answers)).toBeLessThan(unread);
  recordFigure(
    'slow readers',
    `${stalled} connections, each closed; ${mebibytes(grown)} more memory meanwhile; ${beside.length} reads beside them answered`,
  );
});

/** Sends chunks until it is answered and cut off, or ten gigabytes are sent. */
function sendHuge(
  method: string,
  path: string,
  { contentType, begin }: { contentType: string; begin: string },
  token: string,
): Promise<{ status: number; sent: number }> {
  const chunk = Buffer.alloc(1_000_000, ' ');
  const total = 10_000_000_000;
  return new Promise((resolve) => {
    let sent = 0;
    let status = 0;
    const outgoing = request(`${service.url}${path}`, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    });
    const write = () => {
      while (sent < total && !outgoing.destroyed) {
        sent += chunk.length;
        if (!outgoing.write(chunk)) return void outgoing.once('drain', write);
      }
      outgoing.end();
    };
    outgoing
      .on('response', (incoming) => {
        status = incoming.statusCode ?? 0;
        incoming.resume();
      })
      .on('error', () => {})
      .on('close', () => resolve({ status, sent }));
    outgoing.write(Buffer.from(begin, 'latin1'));
    write();
  });
}

const png = { contentType: 'image/png', begin: '\x89PNG\r\n\x1a\n' };
test.for([
  ['a request', 'POST', '/vehicles', { contentType: 'application/json', begin: ' ' }, 20],
  ['an upload', 'PUT', '/DE*ABC*T0000/image', png, 100],
] as const)(
  'a body of 10 GB in chunks, of %s, is refused with 413 before it is sent, and takes no memory',
  async ([what, method, path, content, maxGrowthMb]) => {
    // The first one has expired by now.
    const { id, secret = '' } = await addClient(served.db, 'DE-ABC', { name: what });
    const credentials = { clientId: id, clientSecret: secret };
    const { json } = await requestToken(service.url, 'DE-ABC', credentials);
    const before = residentBytes(service.pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentBytes(service.pid));
    }, 20);
    const { status, sent } = await sendHuge(method, base + path, content, json.access_token);
    clearInterval(watch);
    expect(status).toBe(413);
    expect(sent).toBeLessThan(10_000_000_000);
    expect(peak - before).toBeLessThan(maxGrowthMb * 1_048_576);
    recordFigure(
      `body of 10 GB, ${what}`,
      `413; cut off after ${(sent / 1e6).toFixed(0)} MB; ${mebibytes(peak - before)} more memory`,
    );
  },
);
