import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NoSuchBlob } from '../../platform/blobs/blob-store.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { openFilesIn } from '../../testing/open-files.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { announceNew, upload } from '../../testing/uploads.ts';

let service: TestService;
let path: string;
const bytes = randomBytes(100_000);

beforeAll(async () => {
  service = await startTestService({ uploadLimitBytes: 20_000_000 });
  await makeFleet(service.db, 'DE', 'ABC', 1);
});
afterAll(() => service.stop());
beforeEach(async () => {
  path = await announceNew(service);
  await upload(service, path, bytes);
});

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  service.call(method, path, undefined, headers);

test('has its type, length, name and tag, and headers under which no browser runs it', async () => {
  const { status, headers } = await get();
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '100000',
    'content-disposition': 'attachment; filename=file.bin',
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[0-9a-f-]{36}"$/),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  });
});

test.each(['text/html', 'image/svg+xml', 'text/plain; charset=utf-8', 'application/xhtml+xml'])(
  '%s is answered as announced, and is an attachment all the same',
  async (contentType) => {
    path = await announceNew(service, { filename: 'page', contentType });
    await upload(service, path, '<script>alert(1)</script>');
    const { headers } = await get();
    expect(headers).toMatchObject({
      'content-type': contentType,
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  },
);

test('a text is sent as it is, whatever codings the client takes', async () => {
  path = await announceNew(service, { filename: 'a.txt', contentType: 'text/plain' });
  await upload(service, path, 'a line\n'.repeat(10_000));
  const { headers, text } = await get({ 'accept-encoding': 'zstd, br, gzip' });
  expect(headers['content-length']).toBe('70000');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(text).toBe('a line\n'.repeat(10_000));
});

test.each([
  ['../../x', 'filename=.._.._x'],
  ['C:\\fake\\x.pdf', 'filename="C:_fake_x.pdf"'],
  ['a"b', String.raw`filename="a\"b"`],
  ['a"; filename="b.exe', String.raw`filename="a\"; filename=\"b.exe"`],
  ["it's (1)*.txt", `filename="it's (1)*.txt"`],
  ['100%41.txt', `filename=100%41.txt; filename*=UTF-8''100%2541.txt`],
  [
    'Übersicht €.pdf',
    `filename="?bersicht ?.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.pdf`,
  ],
  ['photo\u202egnp.exe', 'filename=photognp.exe'],
  ['photo\u061cgnp.exe', 'filename=photognp.exe'],
  ['\u202e', 'filename=_'],
  [
    '🚗'.repeat(200),
    `filename="${'?'.repeat(400)}"; filename*=UTF-8''${'%F0%9F%9A%97'.repeat(200)}`,
  ],
])('the name %s breaks nothing', async (filename, expected) => {
  path = await announceNew(service, { filename });
  expect((await upload(service, path, 'x')).json.filename).toBe(filename);
  const { headers } = await get();
  expect(headers['content-disposition']).toBe(`attachment; ${expected}`);
});

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99999', 0, 99_999],
    ['bytes=10-19', 10, 19],
    ['bytes=99999-', 99_999, 99_999],
    ['bytes=50000-', 50_000, 99_999],
    ['bytes=-1', 99_999, 99_999],
    ['bytes=-100000', 0, 99_999],
    ['bytes=-1000000', 0, 99_999],
    ['bytes=99990-200000', 99_990, 99_999],
    ['bytes=99990-99999999999999999999999', 99_990, 99_999],
    ['BYTES = 1 - 2', 1, 2],
  ])('%s is answered with 206', async (range, first, last) => {
    const answer = await get({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/100000`);
    expect(answer.headers['content-length']).toBe(String(last - first + 1));
    expect(answer.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test.each(['bytes=100000-', 'bytes=100000-100001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%s is answered with 416 and the size',
    async (range) => {
      const { status, headers, json } = await get({ range });
      expect([status, headers['content-range']]).toEqual([416, 'bytes */100000']);
      expect(json.status).toBe(416);
    },
  );

  test.each([
    'bytes=0-1,5-6',
    'bytes=5-1',
    'bytes=-',
    'bytes=a-b',
    'bytes',
    'lines=1-2',
    '',
    'bytes=1.5-2',
    'bytes=--1',
  ])('%s is none that we know, and all is answered', async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.bytes.length]).toEqual([200, 100_000]);
    expect(answer.headers['content-range']).toBeUndefined();
  });

  test('with If-Range it is the range of the file that is meant, or the whole of another', async () => {
    const etag = String((await get()).headers.etag);
    const range = 'bytes=0-9';
    expect((await get({ range, 'if-range': etag })).status).toBe(206);
    for (const other of [`W/${etag}`, '"x"', 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      expect((await get({ range, 'if-range': other })).status, other).toBe(200);
    }
    await upload(service, path, bytes);
    expect((await get({ range, 'if-range': etag })).status).toBe(200);
  });
});

test('304 to a client that has the file, until it is replaced', async () => {
  const etag = String((await get()).headers.etag);
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const { status, text, headers } = await get({ 'if-none-match': header });
    expect([status, text, headers.etag], header).toEqual([304, '', etag]);
  }
  expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
  await upload(service, path, bytes);
  const { status, headers } = await get({ 'if-none-match': etag });
  expect(status).toBe(200);
  expect(headers.etag).not.toBe(etag);
});

test('HEAD is GET without the bytes, and knows no ranges', async () => {
  const { headers: expected } = await get();
  for (const range of ['', 'bytes=0-9', 'bytes=200000-']) {
    const { status, bytes: none, headers } = await get({ range }, 'HEAD');
    expect([status, none.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'content-disposition', 'etag']) {
      expect(headers[name], name).toBe(expected[name]);
    }
  }
});

test('a file that is replaced or removed between the record and its bytes is never half of one', async () => {
  const contents = Array.from({ length: 4 }, (_, index) => Buffer.alloc(50_000, index + 1));
  const busy = contents.map(async (content) => {
    for (let round = 0; round < 5; round++) await upload(service, path, content);
  });
  let done = false;
  const finished = Promise.all(busy).then(() => {
    done = true;
  });
  while (!done) {
    const { status, bytes: got } = await get();
    expect(status).toBe(200);
    expect(got.equals(bytes) || contents.some((content) => content.equals(got))).toBe(true);
  }
  await finished;
  const reads = Array.from({ length: 20 }, () => get());
  const removed = service.call('DELETE', path);
  for (const { status } of await Promise.all(reads)) expect([200, 404]).toContain(status);
  expect((await removed).status).toBe(204);
});

test('a reader who hangs up in the middle leaves no open file behind, and is no fault of ours', async () => {
  path = await announceNew(service);
  await upload(service, path, Buffer.alloc(15_000_000));
  const authorization = `Bearer ${await service.token()}`;
  const before = service.log.length;
  await Promise.all(
    Array.from(
      { length: 5 },
      () =>
        new Promise<void>((resolve) => {
          const url = `${service.url}/api/fleets/v1/DE/ABC${path}`;
          const outgoing = request(url, { headers: { authorization } }, (incoming) => {
            incoming.once('data', () => {
              outgoing.destroy();
              resolve();
            });
          });
          outgoing.on('error', () => {}).end();
        }),
    ),
  );
  while (openFilesIn(service.blobFolder).length > 0) await sleep(10);
  expect((await service.call('DELETE', path)).status).toBe(204);
  expect(service.log.slice(before).filter((line) => line.includes('"level":50'))).toEqual([]);
});

test('bytes that were lost from the store are a fault of ours, and say so', async () => {
  const [{ key } = { key: '' }] = await service.db.query<{ key: string }>(
    'select object_key as key from blobs where uuid = $1',
    [path.slice(-36)],
  );
  await service.blobs.delete(key);
  await expect(service.blobs.get(key)).rejects.toThrow(NoSuchBlob);
  const answer = await service.send({
    path: `/api/fleets/v1/DE/ABC${path}`,
    headers: { authorization: `Bearer ${await service.token()}` },
  });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain(key);
});

test('what comes back is what was sent, also when it is large', async () => {
  path = await announceNew(service);
  const large = randomBytes(12_345_678);
  await upload(service, path, large);
  expect(hashOf((await get()).bytes)).toBe(hashOf(large));
});

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
