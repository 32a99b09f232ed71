import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBlobStore, parseBlobUrl } from '../../platform/blobs/open-blob-store.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startS3, type TestS3 } from '../../testing/start-s3.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { announceNew, beginUpload, upload } from '../../testing/uploads.ts';

let s3: TestS3;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3();
  for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
  const location = parseBlobUrl(`s3://${s3.bucket}/fleet?endpoint=${s3.endpoint}`);
  service = await startTestService({
    blobs: await openBlobStore(location, 'unused'),
    uploadLimitBytes: 20_000_000,
  });
  await makeFleet(service.db, 'DE', 'ABC', 1);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.stop();
  await s3.stop();
});

test('a file is uploaded, read in part and whole, replaced, and removed with its object', async () => {
  const path = await announceNew(service, { filename: 'x', contentType: 'image/png' });
  for (const size of [0, 10, 12_000_000]) {
    const bytes = randomBytes(size);
    expect((await upload(service, path, bytes)).status).toBe(200);
    const { headers, bytes: got } = await service.call('GET', path);
    expect(got.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(size) });
    expect(await s3.objects()).toHaveLength(1);
  }
  const { status, bytes } = await service.call('GET', path, undefined, { range: 'bytes=-5' });
  expect([status, bytes.length]).toEqual([206, 5]);
  expect((await service.call('HEAD', path)).headers['content-length']).toBe('12000000');
  expect((await service.call('DELETE', path)).status).toBe(204);
  expect(await s3.objects()).toEqual([]);
});

test('a client that hangs up in the middle leaves neither an object nor parts of one', async () => {
  const path = await announceNew(service);
  const { socket, write } = await beginUpload(service, path, 'Content-Length: 15000000');
  await write(Buffer.alloc(11_000_000));
  while ((await s3.unfinished()).length === 0) await sleep(10);
  socket.destroy();
  while ((await service.db.query('select 1 from stored_objects')).length > 0) await sleep(10);
  expect([...(await s3.objects()), ...(await s3.unfinished())]).toEqual([]);
  expect((await service.call('GET', path)).status).toBe(404);
});

test('413 past the limit leaves nothing either', async () => {
  const path = await announceNew(service);
  const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined };
  expect((await upload(service, path, Buffer.alloc(21_000_000), chunked)).status).toBe(413);
  expect([...(await s3.objects()), ...(await s3.unfinished())]).toEqual([]);
});
