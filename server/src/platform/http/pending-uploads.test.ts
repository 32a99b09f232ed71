import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  announceNew,
  beginUpload,
  type Dialogue,
  deleteReleasedBytes,
  upload,
} from '../../testing/uploads.ts';

let service: TestService;
let path: string;
const begun: Dialogue[] = [];
const largest = 50_000_000;
beforeAll(async () => {
  service = await startTestService({ uploadLimitBytes: largest });
  await makeFleet(service.db, 'DE', 'ABC', 1);
  path = await announceNew(service);
});
afterAll(async () => {
  for (const { socket } of begun) socket.destroy();
  await service.stop();
});

const storedObjects = async () => {
  await deleteReleasedBytes(service);
  return (await service.db.query('select key from stored_objects')).length;
};

/** Begins uploads that their clients do not continue, and waits until the service reads them. */
async function stall(count: number, ...headers: string[]): Promise<void> {
  const before = await storedObjects();
  for (let index = 0; index < count; index++)
    begun.push(await beginUpload(service, path, ...headers));
  await expect.poll(storedObjects).toBe(before + count);
}

test('uploads that their clients do not finish make a store keep parts of a few at most', async () => {
  await stall(3, `Content-Length: ${largest}`);
  await stall(3, 'Transfer-Encoding: chunked');
  const refused = await beginUpload(service, path, 'Content-Length: 20000000');
  await expect.poll(() => refused.received()).toContain(' 429 ');
  refused.socket.destroy();

  // Small files need less.
  expect((await upload(service, path, 'a photo')).status).toBe(200);
  begun.pop()?.socket.destroy();
  await expect.poll(storedObjects).toBe(6);
  expect((await upload(service, path, Buffer.alloc(20_000_000))).status).toBe(200);
});
