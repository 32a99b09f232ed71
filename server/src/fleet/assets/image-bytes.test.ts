import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { halves } from '../../testing/images.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { deleteReleasedBytes, storedFiles, upload } from '../../testing/uploads.ts';
import { sweepBytes } from '../files/sweep-bytes.ts';

/** What becomes of the bytes of images when something fails in between. */

let service: TestService;
let image: Buffer;
const vehicle = '/DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService();
  image = await halves(64, 32).png().toBuffer();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('PUT', vehicle, { information: {} });
  expect((await upload(service, `${vehicle}/image`, image)).status).toBeLessThan(300);
  await deleteReleasedBytes(service);
});

async function sweep(): Promise<number> {
  const count = await sweepBytes(service.dependencies, { graceMs: 0 });
  await deleteReleasedBytes(service);
  return count;
}

/** The store fails at an action as a process that is killed there would. */
async function whileFailing(action: 'put' | 'delete', from: number, run: () => Promise<void>) {
  const blobs = service.dependencies.blobs as Record<string, (...given: unknown[]) => unknown>;
  const works = blobs[action];
  let calls = 0;
  blobs[action] = async (...given) => {
    calls += 1;
    if (calls >= from) throw new Error('the store has failed');
    return works?.(...given);
  };
  try {
    await run();
  } finally {
    if (works) blobs[action] = works;
  }
}

test('the sweep leaves the files of images', async () => {
  expect(await sweep()).toBe(0);
  expect(await storedFiles(service)).toHaveLength(8);
});

test('a deletion whose bytes could not be removed is done, and they are removed later', async () => {
  await whileFailing('delete', 3, async () => {
    expect((await service.call('DELETE', `${vehicle}/image`)).status).toBe(204);
    await expect(service.runJobs()).rejects.toThrow('could not be deleted');
  });
  expect((await service.call('GET', vehicle)).json.asset).not.toHaveProperty('blobUuid');
  expect(await service.db.query('select 1 from stored_objects')).toHaveLength(6);
  expect(await storedFiles(service)).toEqual([]);
});

test.each([1, 2, 5, 9])('an upload whose write number %i fails changes nothing', async (number) => {
  const before = (await service.call('GET', vehicle)).json;
  await whileFailing('put', number, async () => {
    expect((await upload(service, `${vehicle}/image`, image)).status).toBe(503);
  });
  expect((await service.call('GET', vehicle)).json).toEqual(before);
  expect(await storedFiles(service)).toHaveLength(8);
  expect((await service.call('GET', `${vehicle}/image`)).status).toBe(200);
});

test('with its vehicle, an image is gone, and the sweep removes its bytes', async () => {
  await service.call('DELETE', vehicle);
  expect(await service.db.query('select 1 from vehicle_image_files')).toEqual([]);
  await sweep();
  expect(await storedFiles(service)).toEqual([]);
});

test('an upload that a deletion of the vehicle overtakes leaves nothing', async () => {
  const [answer] = await Promise.all([
    upload(service, `${vehicle}/image`, image),
    service.call('DELETE', vehicle),
  ]);
  expect([200, 404]).toContain(answer.status);
  await sweep();
  expect(await storedFiles(service)).toEqual([]);
  expect(await service.db.query('select 1 from stored_objects')).toEqual([]);
});
