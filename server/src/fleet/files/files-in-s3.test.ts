import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBlobStore, parseBlobUrl } from '../../platform/blobs/open-blob-store.ts';
import { s3Store } from '../../platform/blobs/s3-store.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startS3, type TestS3 } from '../../testing/start-s3.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  announceNew,
  beginUpload,
  deleteReleasedBytes,
  upload,
  uploadVehicle,
} from '../../testing/uploads.ts';

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
    await service.runJobs();
    expect(await s3.objects()).toHaveLength(1);
  }
  const { status, bytes } = await service.call('GET', path, undefined, { range: 'bytes=-5' });
  expect([status, bytes.length]).toEqual([206, 5]);
  expect((await service.call('HEAD', path)).headers['content-length']).toBe('12000000');
  expect((await service.call('DELETE', path)).status).toBe(204);
  await service.runJobs();
  expect(await s3.objects()).toEqual([]);
});

test('a client that hangs up in the middle leaves neither an object nor parts of one', async () => {
  const path = await announceNew(service);
  const { socket, write } = await beginUpload(service, path, 'Content-Length: 15000000');
  await write(Buffer.alloc(11_000_000));
  while ((await s3.unfinished()).length === 0) await sleep(10);
  socket.destroy();
  while ((await service.db.query('select 1 from stored_objects')).length > 0) {
    await service.runJobs();
    await sleep(10);
  }
  expect([...(await s3.objects()), ...(await s3.unfinished())]).toEqual([]);
  expect((await service.call('GET', path)).status).toBe(404);
});

test('413 past the limit leaves nothing either', async () => {
  const path = await announceNew(service);
  const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined };
  expect((await upload(service, path, Buffer.alloc(21_000_000), chunked)).status).toBe(413);
  await service.runJobs();
  expect([...(await s3.objects()), ...(await s3.unfinished())]).toEqual([]);
});

test('while the S3 hangs, files are deleted and all else is served; uploads are 503, at once after some; then the bytes go', async () => {
  const limits = { connectMs: 500, responseMs: 500, idleMs: 500, openMs: 60_000 };
  const location = { bucket: s3.bucket, prefix: 'hanging', endpoint: s3.endpoint };
  const impatient = await startTestService({
    database: service.database,
    blobs: s3Store(location, limits),
  });
  const paths: string[] = [];
  for (let count = 0; count < 12; count++) paths.push(await announceNew(impatient));
  for (const path of paths) expect((await upload(impatient, path, 'x')).status).toBe(200);
  const other = await announceNew(impatient);
  s3.hang();
  try {
    // More than the pool has connections.
    const deleted = await Promise.all(paths.map((path) => impatient.call('DELETE', path)));
    expect(deleted.map(({ status }) => status)).toEqual(paths.map(() => 204));
    const job = impatient.runJobs();
    expect((await impatient.call('GET', `/${uploadVehicle}`)).status).toBe(200);
    await expect(job).rejects.toThrow('could not be deleted');
    const refused = await upload(impatient, other, 'x');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    expect(impatient.log.findLast((line) => line.includes('"err"'))).toContain('circuit');
  } finally {
    s3.resume();
  }
  expect(await s3.objects()).toHaveLength(12);
  // The circuit of this one is closed.
  await deleteReleasedBytes({ db: service.db, blobs: s3Store(location) });
  expect(await s3.objects()).toEqual([]);
  await impatient.stop();
});
