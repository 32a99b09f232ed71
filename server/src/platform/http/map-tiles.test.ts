import { mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openFilesIn } from '../../testing/open-files.ts';
import { compressAnswers } from './compression.ts';
import { registerMapTiles, mapTilesPath as url } from './map-tiles.ts';
import { createServer } from './server.ts';

let folder: string;
let file: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'motorpool-test-tiles-'));
  file = join(folder, 'map.pmtiles');
  await writeFile(file, 'PMTiles0123456789'.padEnd(5_000, 'x'));
  app = createServer({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    secure: false,
    publicUrl: () => 'https://fleet.example.com',
  });
  app.register(async (scope) => {
    compressAnswers(scope);
    expect(registerMapTiles(scope, file)).toBe(true);
    expect(registerMapTiles(scope, join(folder, 'missing.pmtiles'))).toBe(false);
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-encoding': 'gzip', ...headers } });

test('a part of the file is answered as it lies there, with what tells its version', async () => {
  const { statusCode, headers, body } = await get({ range: 'bytes=7-16' });
  expect([statusCode, body]).toEqual([206, '0123456789']);
  expect(headers).toMatchObject({
    'content-range': 'bytes 7-16/5000',
    'content-length': '10',
    'cache-control': 'public, max-age=3600',
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.etag).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/);
});

test('the whole file is answered to whoever asks for it, and nothing to whoever has it', async () => {
  const { statusCode, headers, body } = await get();
  expect([statusCode, body.length, headers['accept-ranges']]).toEqual([200, 5_000, 'bytes']);
  const again = await get({ 'if-none-match': String(headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('whoever asks for the headers alone has none of it read', async () => {
  const size = 2 ** 36;
  await truncate(file, size);
  const { statusCode, headers, body } = await app.inject({
    method: 'HEAD',
    url,
    headers: { range: 'bytes=7-16' },
  });
  expect([statusCode, headers['content-length'], body]).toEqual([200, String(size), '']);
  await vi.waitFor(() => expect(openFilesIn(folder)).toEqual([]));
  await truncate(file, 5_000);
});

test('what lies outside is refused, with the size', async () => {
  const { statusCode, headers } = await get({ range: 'bytes=5000-6000' });
  expect([statusCode, headers['content-range']]).toEqual([416, 'bytes */5000']);
});

test('parts of another version are not mixed', async () => {
  const { headers } = await get({ range: 'bytes=0-6' });
  const etag = String(headers.etag);
  expect((await get({ range: 'bytes=0-6', 'if-range': etag })).statusCode).toBe(206);
  await utimes(file, new Date(), new Date('2027-01-01'));
  const changed = await get({ range: 'bytes=0-6', 'if-range': etag });
  expect(changed.statusCode).toBe(200);
  expect(changed.headers.etag).not.toBe(etag);
});
