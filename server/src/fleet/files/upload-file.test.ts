import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  announceNew,
  beginUpload,
  deleteReleasedBytes,
  storedFiles,
  upload,
} from '../../testing/uploads.ts';

let service: TestService;
const limit = 300_000;
const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined };

beforeAll(async () => {
  service = await startTestService({
    uploadLimitBytes: limit,
    timeouts: { headersMs: 2_000, requestMs: 2_000, idleMs: 500, checkMs: 50 },
  });
  await makeFleet(service.db, 'DE', 'ABC', 1);
});
afterAll(() => service.stop());

/** The upload has failed: no object remains, and the file is unchanged. */
async function expectUnchanged(path: string): Promise<void> {
  await untilIdle();
  expect((await service.call('GET', path)).status).toBe(404);
  expect(await traces()).toEqual([]);
}

const traces = async () => [
  ...(await storedFiles(service)),
  ...(await service.db.query('select key from stored_objects')),
];

async function untilIdle(): Promise<void> {
  while ((await traces()).length > 0) await sleep(10);
}

async function clear(path: string): Promise<void> {
  expect((await service.call('DELETE', path)).status).toBe(204);
}

test('takes bytes of any type and of none, chunked or not, and keeps the announced type', async () => {
  const bytes = randomBytes(100_000);
  for (const headers of [
    {},
    chunked,
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'no type at all' },
    { 'content-type': '' },
    { 'content-encoding': 'identity' },
  ]) {
    const path = await announceNew(service, { filename: 'x', contentType: 'image/png' });
    expect((await upload(service, path, bytes, headers)).status, JSON.stringify(headers)).toBe(200);
    const answer = await service.call('GET', path);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(answer.headers['content-type']).toBe('image/png');
    await clear(path);
  }
});

test('an empty file is a file', async () => {
  for (const headers of [{}, chunked]) {
    const path = await announceNew(service);
    expect((await upload(service, path, '', headers)).json).toMatchObject({ uploaded: true });
    const { status, bytes, headers: got } = await service.call('GET', path);
    expect([status, bytes.length, got['content-length']]).toEqual([200, 0, '0']);
    expect((await service.call('GET', path, undefined, { range: 'bytes=0-' })).status).toBe(200);
    await clear(path);
  }
});

test('413 past the limit, announced by its length or not, and nothing is kept', async () => {
  for (const headers of [{}, chunked]) {
    const path = await announceNew(service);
    const most = await upload(service, path, Buffer.alloc(limit), headers);
    expect(most.status).toBe(200);
    await clear(path);
    for (const size of [limit + 1, limit * 20]) {
      const other = await announceNew(service);
      const { status, json } = await upload(service, other, Buffer.alloc(size), headers);
      expect(status).toBe(413);
      expect(json.detail).toContain(String(limit));
      await expectUnchanged(other);
    }
  }
});

test('413 is told before the bytes have come, and the connection goes on', async () => {
  const path = await announceNew(service);
  const { socket, write, ended } = await beginUpload(service, path, `Content-Length: ${limit + 1}`);
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  await write(Buffer.alloc(limit + 1));
  await write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const received = await ended;
  expect(received).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 OK/s);
  await expectUnchanged(path);
});

test('after 413 and 404 in the middle of a chunked body the connection goes on', async () => {
  const path = await announceNew(service);
  for (const [to, status] of [
    [path, 413],
    [`${path.slice(0, -4)}0000`, 404],
  ] as const) {
    const { write, ended } = await beginUpload(service, to, 'Transfer-Encoding: chunked');
    const chunk = Buffer.alloc(100_000);
    for (let sent = 0; sent < 10; sent++) {
      await write(`${chunk.length.toString(16)}\r\n`);
      await write(chunk);
      await write('\r\n');
    }
    await write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await ended).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*HTTP/1\\.1 200 OK`, 's'));
  }
  await expectUnchanged(path);
});

test('the checks come in their order: 401, 403, 415, 413, 400, 404', async () => {
  const path = await announceNew(service);
  const big = Buffer.alloc(limit + 1);
  const encoded = { 'content-encoding': 'gzip' };
  const part = { 'content-range': 'bytes 0-9/100' };
  const nowhere = `${path.slice(0, -4)}0000`;
  const foreign = { authorization: `Bearer ${await service.token('FR-XYZ')}` };
  const statusOf = async (...sent: [string, Buffer | string, object?]) =>
    (await upload(service, sent[0], sent[1], { ...sent[2] })).status;
  expect(await statusOf(path, big, { ...encoded, authorization: undefined })).toBe(401);
  expect(await statusOf(path, big, { ...encoded, ...foreign })).toBe(403);
  expect(await statusOf(nowhere, big, { ...encoded, ...part })).toBe(415);
  expect(await statusOf(nowhere, big, part)).toBe(413);
  expect(await statusOf(nowhere, 'x', part)).toBe(400);
  expect(await statusOf(nowhere, 'x')).toBe(404);
  expect(await statusOf(path, 'x', { 'content-encoding': 'br, gzip' })).toBe(415);
  await expectUnchanged(path);
});

test('a client that hangs up in the middle leaves nothing, and is no fault of ours', async () => {
  const before = service.log.length;
  for (const [header, sent] of [
    ['Content-Length: 200000', randomBytes(100_000)],
    ['Content-Length: 200000', ''],
    ['Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(0x10000)}\r\n`],
    ['Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(0x100)}`],
  ] as const) {
    const path = await announceNew(service);
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const { socket, write } = await beginUpload(service, path, header);
      if (sent.length > 0) await write(sent);
      while ((await traces()).length === 0) await sleep(5);
      socket[end]();
      await expectUnchanged(path);
      socket.destroy();
    }
  }
  expect(service.log.slice(before).filter((line) => line.includes('"err"'))).toEqual([]);
});

test('a slow upload is as good as a quick one, within the time that a request has', async () => {
  const path = await announceNew(service);
  const { write, ended } = await beginUpload(
    service,
    path,
    'Content-Length: 10',
    'Connection: close',
  );
  for (const letter of '0123456789') {
    await write(letter);
    await sleep(30);
  }
  expect(await ended).toMatch(/^HTTP\/1\.1 200 OK/);
  expect((await service.call('GET', path)).text).toBe('0123456789');
  await clear(path);
});

test('an upload that never ends is cut off, however steadily it drips, and nothing is kept', async () => {
  const path = await announceNew(service);
  const { socket, write, ended } = await beginUpload(service, path, 'Transfer-Encoding: chunked');
  // The client goes on after the server has closed its side.
  socket.allowHalfOpen = true;
  const dripping = setInterval(() => void write('1\r\nx\r\n'), 20);
  expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dripping);
  socket.destroy();
  await expectUnchanged(path);
});

test('a second upload replaces the first as a whole, and the first is gone from the store', async () => {
  const path = await announceNew(service);
  for (const bytes of [randomBytes(limit), randomBytes(10), randomBytes(1_000)]) {
    expect((await upload(service, path, bytes)).status).toBe(200);
    expect((await service.call('GET', path)).bytes.equals(bytes)).toBe(true);
    expect(await storedFiles(service)).toHaveLength(1);
    expect(await service.db.query('select * from stored_objects')).toHaveLength(1);
  }
  await clear(path);
});

test('a second upload that fails leaves the first', async () => {
  const path = await announceNew(service);
  await upload(service, path, 'first');
  expect((await upload(service, path, Buffer.alloc(limit + 1), chunked)).status).toBe(413);
  const { socket, write } = await beginUpload(service, path, 'Content-Length: 1000');
  await write('half of it');
  while ((await storedFiles(service)).length < 2) await sleep(5);
  socket.destroy();
  while ((await traces()).length > 2) await sleep(5);
  expect((await service.call('GET', path)).text).toBe('first');
  await clear(path);
});

test('of uploads at once one wins whole, and the others leave nothing', async () => {
  const path = await announceNew(service);
  const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(limit - index, index + 1));
  const answers = await Promise.all(contents.map((bytes) => upload(service, path, bytes)));
  expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
  const { bytes } = await service.call('GET', path);
  expect(contents.some((content) => content.equals(bytes))).toBe(true);
  expect(await storedFiles(service)).toHaveLength(1);
  expect(await service.db.query('select * from stored_objects')).toHaveLength(1);
  await clear(path);
});

test('two uploads whose bytes come by turns do not mix', async () => {
  const path = await announceNew(service);
  const size = 200_000;
  const begin = () => beginUpload(service, path, `Content-Length: ${size}`, 'Connection: close');
  const [a, b] = [await begin(), await begin()];
  for (let sent = 0; sent < size; sent += 50_000) {
    await a.write(Buffer.alloc(50_000, 'a'));
    await b.write(Buffer.alloc(50_000, 'b'));
  }
  expect(await Promise.all([a.ended, b.ended])).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^HTTP\/1\.1 200/)),
  );
  const { text } = await service.call('GET', path);
  expect(['a'.repeat(size), 'b'.repeat(size)]).toContain(text);
  expect(await storedFiles(service)).toHaveLength(1);
  await clear(path);
});

test('a file that is removed while it is uploaded is gone, with its bytes', async () => {
  const path = await announceNew(service);
  const { write, ended } = await beginUpload(
    service,
    path,
    'Content-Length: 10',
    'Connection: close',
  );
  await write('01234');
  while ((await storedFiles(service)).length === 0) await sleep(5);
  await clear(path);
  await write('56789');
  expect(await ended).toMatch(/^HTTP\/1\.1 404 /);
  await expectUnchanged(path);
});

test('a store that fails is a 503 whose cause is in the log, and the connection goes on', async () => {
  const full: BlobStore = {
    ...service.blobs,
    async put(_key, bytes) {
      for await (const _ of bytes)
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return 0;
    },
  };
  const failing = await startTestService({ database: service.database, blobs: full });
  const path = await announceNew(failing);
  const answer = await upload(failing, path, Buffer.alloc(500_000));
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
  expect(answer.json.detail).toContain('The file storage is full');
  expect(answer.text).not.toContain('device');
  expect(failing.log.some((line) => line.includes('no space left on device'))).toBe(true);
  await deleteReleasedBytes(failing);
  expect(await service.db.query('select key from stored_objects')).toEqual([]);
  await failing.stop();
});
