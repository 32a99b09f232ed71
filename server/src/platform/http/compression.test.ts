import { once } from 'node:events';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { chooseCoding, compressAnswers } from './compression.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 1_000);
});
afterAll(() => service.stop());

const expanders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

const send = async (path: string, headers: Record<string, string>, body?: object | Buffer) =>
  service.send({
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: {
      authorization: `Bearer ${await service.token()}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
const base = '/api/fleets/v1/DE/ABC';
/** The json of a compressed answer cannot be parsed by the client of the tests. */
const search = (coding: string, pageSize: number) =>
  fetchRaw(`${base}/vehicles`, coding, { pagination: { pageNumber: 0, pageSize } });

async function fetchRaw(path: string, coding: string, body?: object) {
  const outgoing = request(service.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${await service.token()}`,
      'accept-encoding': coding,
      ...(body && { 'content-type': 'application/json' }),
    },
  });
  outgoing.end(body && JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { headers: response.headers, bytes: Buffer.concat(chunks), status: response.statusCode };
}

describe.each(Object.keys(expanders))('%s', (coding) => {
  test.each([
    ['one piece', 5],
    ['in another thread', 100],
    ['a stream', 1_000],
  ])('an answer in %s is what it is without it', async (_name, pageSize) => {
    const plain = await search('identity', pageSize);
    const compressed = await search(coding, pageSize);
    expect(compressed.headers['content-encoding']).toBe(coding);
    expect(compressed.headers.vary).toBe('Accept-Encoding');
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(expanders[coding]?.(compressed.bytes)).toEqual(plain.bytes);
  });

  test('the document and the files of the reference', async () => {
    for (const path of ['/openapi.json', '/docs/assets/swagger-ui.css']) {
      const plain = await fetchRaw(path, 'identity');
      const compressed = await fetchRaw(path, coding);
      expect(compressed.headers['content-encoding'], path).toBe(coding);
      expect(expanders[coding]?.(compressed.bytes), path).toEqual(plain.bytes);
      expect([plain.headers.vary, compressed.headers.vary]).toEqual([
        'Accept-Encoding',
        'Accept-Encoding',
      ]);
    }
  });
});

test.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['X-GZIP', 'gzip'],
  ['*', 'zstd'],
  ['zstd;q=0.5, gzip', 'gzip'],
  ['zstd;q=0, *;q=0.1', 'br'],
  ['gzip;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
  ['deflate, compress', undefined],
])('of %s, %s is chosen', (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
});

test('of the codings that there are, by their order, one that the client takes is chosen', () => {
  expect(chooseCoding('zstd, gzip, br', ['br', 'gzip'])).toBe('br');
  expect(chooseCoding('zstd, gzip', ['br', 'gzip'])).toBe('gzip');
  expect(chooseCoding('*', [])).toBeUndefined();
});

test('what is small, and what is a page to sign in, stays as it is', async () => {
  const small = await search('gzip', 1);
  expect([small.headers['content-encoding'], small.bytes.length < 1_024]).toEqual([
    undefined,
    true,
  ]);
  const page = await fetchRaw('/realms/DE-ABC/account', 'gzip');
  expect(page.headers).not.toHaveProperty('content-encoding');
  const discovery = await fetchRaw('/realms/DE-ABC/.well-known/openid-configuration', 'gzip');
  expect(discovery.headers).not.toHaveProperty('content-encoding');
});

test('HEAD has no coding, and no body', async () => {
  const { headers, text } = await service.send({
    method: 'HEAD',
    path: '/openapi.json',
    headers: { 'accept-encoding': 'gzip' },
  });
  expect([headers['content-encoding'], text]).toEqual([undefined, '']);
});

test('the document is 304 while it is the same', async () => {
  const { headers } = await fetchRaw('/openapi.json', 'gzip');
  const again = await send('/openapi.json', { 'if-none-match': String(headers.etag) });
  expect([again.status, again.text]).toEqual([304, '']);
});

describe('a body in gzip', () => {
  const find = (body: Buffer, headers: Record<string, string> = {}) =>
    send(`${base}/vehicles`, { 'content-encoding': 'gzip', ...headers }, body);
  const question = Buffer.from(JSON.stringify({ pagination: { pageNumber: 0, pageSize: 3 } }));

  test('one that is broken off, or that nobody reads, is answered and ends nothing', async () => {
    const whole = gzipSync(question);
    for (const body of [Buffer.alloc(0), whole.subarray(0, 8), whole.subarray(0, -4)])
      expect((await find(body)).status).toBeLessThan(500);
    for (const path of [
      `${base}/DE*ABC*V0001/inspection`,
      `${base}/nowhere/else`,
      `${base}/profile`,
    ])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(
          (
            await service.send({
              method,
              path,
              headers: {
                authorization: `Bearer ${await service.token()}`,
                'content-encoding': 'gzip',
              },
            })
          ).status,
        ).toBeLessThan(500);
    expect((await find(whole)).status).toBe(200);
  });

  test('is taken as it would be without it', async () => {
    for (const coding of ['gzip', 'GZIP', 'x-gzip']) {
      const { status, json } = await find(gzipSync(question), { 'content-encoding': coding });
      expect([status, json.items.length]).toEqual([200, 3]);
    }
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined as never };
    expect((await find(gzipSync(question), chunked)).status).toBe(200);
  });

  test('may be messages in JSON lines', async () => {
    const { items } = (await send(`${base}/vehicles`, {}, {})).json;
    const message = {
      vehicleId: items[0].asset.id,
      timestamp: new Date().toISOString(),
      odometer: 9,
    };
    const { status, json } = await send(
      `${base}/databox/messages`,
      { 'content-encoding': 'gzip', 'content-type': 'application/x-ndjson' },
      gzipSync(`${JSON.stringify(message)}\n`),
    );
    expect([status, json.results.length]).toEqual([200, 1]);
  });

  test('that expands to more than the limit is 413, and not expanded further', async () => {
    const before = process.memoryUsage().rss;
    const bomb = gzipSync(Buffer.alloc(100 * 1_048_576, ' '));
    expect(bomb.length).toBeLessThan(131_072);
    for (const path of ['/vehicles', '/databox/messages', '/maintenance-schedules']) {
      const { status, json } = await send(
        base + path,
        { 'content-encoding': 'gzip' },
        Buffer.from(bomb),
      );
      expect([path, status, json.type]).toEqual([path, 413, problemType('body-too-large')]);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576);
  });

  test('of empty blocks without end is refused before it ends', async () => {
    const nothing = Buffer.concat(Array(40_000).fill(gzipSync('')));
    const headers = {
      'content-encoding': 'gzip',
      'transfer-encoding': 'chunked',
      'content-length': undefined as never,
    };
    const tooLarge = await send(`${base}/vehicles`, headers, nothing);
    expect([tooLarge.status, tooLarge.json.type]).toEqual([413, problemType('body-too-large')]);
    for (const path of ['/maintenance-schedules', '/databox/messages']) {
      const { status, json } = await send(base + path, headers, nothing);
      expect([status, json.errors[0].detail]).toEqual([
        400,
        'The body in gzip expands to less than was sent.',
      ]);
    }
  });

  test('that is none, or is cut short, is 400', async () => {
    for (const body of [question, gzipSync(question).subarray(0, -10), Buffer.from('x')]) {
      const { status, json } = await find(body);
      expect([status, json.detail]).toEqual([400, 'The body is not valid gzip.']);
    }
  });

  test('in another coding is 415, which names the one that is taken', async () => {
    for (const coding of ['br', 'zstd', 'deflate', 'gzip, gzip', 'nonsense']) {
      const { status, headers } = await find(question, { 'content-encoding': coding });
      expect([coding, status, headers['accept-encoding']]).toEqual([coding, 415, 'gzip']);
    }
  });
});

test('bytes that are sent again are compressed once in each coding', async () => {
  const app = Fastify();
  compressAnswers(app);
  const sent: unknown[] = [];
  app.addHook('onSend', async (_request, _reply, payload) => {
    sent.push(payload);
    return payload;
  });
  const document = Buffer.from('{"openapi":"3.1.0"}'.repeat(5_000));
  app.get('/', (_request, reply) => reply.type('application/json').send(document));
  const get = (coding: string) => app.inject({ url: '/', headers: { 'accept-encoding': coding } });
  const [first, second, other] = [await get('gzip'), await get('gzip'), await get('br')];
  expect(gunzipSync(first.rawPayload)).toEqual(document);
  expect(second.rawPayload).toEqual(first.rawPayload);
  expect(sent[1]).toBe(sent[0]);
  expect(brotliDecompressSync(other.rawPayload)).toEqual(document);
});

test.each(['/openapi.json', '/docs/guides/errors', '/docs/assets/swagger-ui-bundle.js'])(
  'whoever has %s already is told so',
  async (path) => {
    const { headers, bytes } = await fetchRaw(path, 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    const plain = await service.send({ path, headers: { 'accept-encoding': 'identity' } });
    expect(gunzipSync(bytes).toString()).toBe(plain.text);
    const again = await service.send({ path, headers: { 'if-none-match': String(headers.etag) } });
    expect([again.status, again.text]).toEqual([304, '']);
  },
);
