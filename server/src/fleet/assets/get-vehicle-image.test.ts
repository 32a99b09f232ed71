import { afterAll, beforeAll, expect, test } from 'vitest';
import { halves } from '../../testing/images.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { upload } from '../../testing/uploads.ts';
import { acceptedFormat } from './accepted-format.ts';

let service: TestService;
const path = '/DE*ABC*V1/image';

beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', '/DE*ABC*V1', { information: {} });
  await upload(service, path, await halves(64, 32).png().toBuffer());
});
afterAll(() => service.stop());

const get = (headers: Record<string, string>, query = '', method = 'GET') =>
  service.call(method, path + query, undefined, headers);

test.each([
  [undefined, 'webp'],
  ['', 'webp'],
  ['*/*', 'webp'],
  ['image/*', 'webp'],
  ['image/avif,image/webp,image/apng,*/*;q=0.8', 'avif'],
  ['image/webp,image/avif', 'avif'],
  ['image/webp, image/avif;q=0.9', 'webp'],
  ['IMAGE/AVIF;Q=0.5, image/webp;q=0.4', 'avif'],
  ['image/avif;q=0, */*', 'webp'],
  ['image/webp;q=0, image/*', 'avif'],
  ['image/png', undefined],
  ['*/*;q=0', undefined],
  ['application/json', undefined],
  ['image/avif;q=nonsense', undefined],
])('Accept: %s is answered with %s', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});

test('each format has an ETag, by which it is not sent twice', async () => {
  const webp = await get({ accept: 'image/webp' });
  const avif = await get({ accept: 'image/avif' });
  expect(webp.headers.etag).not.toBe(avif.headers.etag);
  for (const { headers, status } of [webp, avif]) {
    expect([status, headers.vary, headers['cache-control']]).toEqual([
      200,
      'Accept',
      'private, no-cache',
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
  const known = { 'if-none-match': String(webp.headers.etag) };
  const again = await get({ accept: 'image/webp', ...known });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', webp.headers.etag]);
  expect((await get({ accept: 'image/avif', ...known })).status).toBe(200);
});

test('HEAD tells the same without the bytes', async () => {
  const { headers } = await get({});
  const head = await get({}, '', 'HEAD');
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', headers.etag]);
  expect(head.headers['content-length']).toBe(headers['content-length']);
});

test('neither WebP nor AVIF is 406, and a vehicle that is not there 404', async () => {
  expect((await get({ accept: 'image/png' })).status).toBe(406);
  const missing = await service.call('GET', '/DE*ABC*nowhere/image', undefined, {
    accept: 'image/png',
  });
  expect(missing.status).toBe(404);
});

test('a vehicle without an image has none', async () => {
  await service.call('PUT', '/DE*ABC*V2', { information: {} });
  expect((await service.call('GET', '/DE*ABC*V2/image')).status).toBe(404);
});
