import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { refreshAssetsJob } from './refresh-assets.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const refresh = async () => {
  await service.dependencies.jobs.add(service.db, refreshAssetsJob, {});
  await service.runJobs();
};
const read = async (id: string) => (await service.call('GET', `/${id}`)).json.asset;

test('vehicles of another release get their drawing, and lose what names no image; all others stay', async () => {
  const own = 'https://images.example.com/1.png';
  await service.call('PUT', '/DE*ABC*V1', { information: { model: 'Crafter' } });
  await service.call('PUT', '/DE*ABC*V2', {
    information: { model: 'Golf' },
    asset: { defaultImage: own },
  });
  await service.call('PUT', '/DE*ABC*V3', { information: { model: 'Golf' } });
  const [first, second, third] = [
    await read('DE*ABC*V1'),
    await read('DE*ABC*V2'),
    await read('DE*ABC*V3'),
  ];
  const etag = async () => (await service.call('GET', '/DE*ABC*V3')).headers.etag;
  const unchanged = await etag();
  // As the previous release writes them.
  await service.db.query(
    `update vehicles set default_image = null,
       item = replace(item, '"defaultImage":"' || default_image || '",', '') where id = 'DE*ABC*V1'`,
  );
  const stray = '00000000-0000-4000-8000-000000000000';
  await service.db.query(
    `update vehicles set blob_uuid = $1,
       item = replace(item, '"defaultImage"', '"blobUuid":"' || $1::uuid || '","defaultImage"')
     where id = 'DE*ABC*V2'`,
    [stray],
  );
  expect((await read('DE*ABC*V2')).blobUuid).toBe(stray);
  expect(await read('DE*ABC*V1')).not.toHaveProperty('defaultImage');
  await refresh();
  expect(await read('DE*ABC*V1')).toEqual(first);
  expect(await read('DE*ABC*V2')).toEqual(second);
  expect(await read('DE*ABC*V3')).toEqual(third);
  expect(await etag()).toBe(unchanged);
});
