import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressAnswers } from './compression.ts';
import { type MapOptions, registerConsole } from './console.ts';
import { createServer } from './server.ts';

const settings = {
  version: '1.2.3',
  url: 'https://fleet.example.com',
  issuer: 'https://id.example.com/realms/{realm}',
  clientId: 'motorpool-console',
  defaultRole: 'viewer' as const,
  isDemo: false,
};

let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'motorpool-test-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta nonce="{nonce}"><link nonce="{nonce}">');
  await writeFile(join(folder, 'color-scheme.js'), 'let a;');
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/main-abc.js'), 'plain');
  await writeFile(join(folder, 'assets/main-abc.js.br'), 'as brotli');
  await writeFile(join(folder, 'assets/map-worker-abc.mjs'), 'let b;');
  app = serve(folder);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

function serve(folder: string, map: MapOptions = {}): FastifyInstance {
  const server = createServer({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    secure: false,
    publicUrl: () => settings.url,
  });
  server.register(async (scope) => {
    compressAnswers(scope);
    registerConsole(scope, { folder, settings: () => settings, map });
  });
  return server;
}

test.each(['/console', '/console/', '/console/signed-in', '/console/DE-ABC/vehicles/DE*ABC*1.2'])(
  '%s is the page, with a nonce of its own that the policy names',
  async (url) => {
    const answers = [await app.inject({ url }), await app.inject({ url })];
    const nonces = answers.map(({ body }) => /nonce="([^"]+)"/.exec(body)?.[1]);
    expect(nonces[0]).not.toBe(nonces[1]);
    for (const [index, { body, headers, statusCode }] of answers.entries()) {
      expect(statusCode).toBe(200);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers.etag).toBeUndefined();
      expect(headers['content-security-policy']).toContain(
        `script-src 'self'; style-src 'self' 'nonce-${nonces[index]}'`,
      );
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(body).not.toContain('{nonce}');
    }
  },
);

test('tokens may be requested from the issuer, and nothing else from another origin', async () => {
  const { headers } = await app.inject({ url: '/console' });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("connect-src 'self' https://id.example.com;");
  expect(policy.match(/https?:/g)).toHaveLength(1);
});

test('a style of maps opens its origin, to the page and to the worker, and nothing else', async () => {
  const styleUrl = 'https://maps.example.com/styles/streets.json?key=1';
  const withMap = serve(folder, { styleUrl, tilesFile: 'ignored' });
  const worker = '/console/assets/map-worker-abc.mjs';
  const policyOf = async (server: FastifyInstance, url: string) =>
    String((await server.inject({ url })).headers['content-security-policy']);
  const policy = await policyOf(withMap, '/console');
  expect(policy).toContain("connect-src 'self' https://id.example.com https://maps.example.com;");
  expect(policy).toContain("img-src 'self' data: blob: https://maps.example.com;");
  expect(policy.match(/https?:/g)).toHaveLength(3);
  expect(await policyOf(withMap, worker)).toBe(
    "default-src 'none'; connect-src 'self' https://maps.example.com; frame-ancestors 'none'",
  );
  expect(await policyOf(app, worker)).toBe(
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  );
  const { json } = await withMap.inject({ url: '/console/settings.json' });
  expect(json()).toEqual({ ...settings, map: { styleUrl } });
  await withMap.close();
});

test('a file of tiles is named in the settings, if there is one', async () => {
  const settingsWith = async (tilesFile: string) => {
    const server = serve(folder, { tilesFile });
    const { json } = await server.inject({ url: '/console/settings.json' });
    await server.close();
    return json().map;
  };
  expect(await settingsWith(join(folder, 'icon.svg'))).toEqual({ tiles: '/console/map.pmtiles' });
  expect(await settingsWith(join(folder, 'missing.pmtiles'))).toBeUndefined();
});

test('assets are kept for ever, and were compressed before', async () => {
  const url = '/console/assets/main-abc.js';
  const compressed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(compressed.body).toBe('as brotli');
  for (const headers of [{}, { 'accept-encoding': 'zstd' }])
    expect((await app.inject({ url, headers })).body).toBe('plain');
  const plain = await app.inject({ url });
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-type']).toContain('javascript');
});

test('what was served once is served again without the disk, in each coding', async () => {
  const file = join(folder, 'assets/kept-abc.json');
  for (const [index, ending] of ['', '.br', '.gz'].entries())
    await writeFile(file + ending, `of ${index}`);
  const server = serve(folder);
  const url = '/console/assets/kept-abc.json';
  const answers = async () => {
    const found = [];
    for (const coding of ['identity', 'br', 'gzip']) {
      const answer = await server.inject({ url, headers: { 'accept-encoding': coding } });
      const { 'content-encoding': encoding, vary, etag } = answer.headers;
      found.push([answer.statusCode, encoding, vary, answer.body, etag]);
    }
    return found;
  };
  const first = await answers();
  expect(first.map((answer) => answer.slice(0, 4))).toEqual([
    [200, undefined, 'Accept-Encoding', 'of 0'],
    [200, 'br', 'Accept-Encoding', 'of 1'],
    [200, 'gzip', 'Accept-Encoding', 'of 2'],
  ]);
  expect(new Set(first.map(([, , , , etag]) => etag)).size).toBe(3);
  for (const ending of ['', '.br', '.gz']) await rm(file + ending);
  expect(await answers()).toEqual(first);
  await server.close();
});

test('an asset that the client has is not sent again, nor is one of which only the headers are asked', async () => {
  const url = '/console/assets/main-abc.js';
  const headers = { 'accept-encoding': 'br' };
  const { etag } = (await app.inject({ url, headers })).headers;
  const known = await app.inject({ url, headers: { ...headers, 'if-none-match': String(etag) } });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  expect(known.headers).toMatchObject({
    etag,
    vary: 'Accept-Encoding',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const head = await app.inject({ method: 'HEAD', url, headers });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '9']);
});

test('an asset that could not be read is read again', async () => {
  const file = join(folder, 'assets/late-abc.js');
  await writeFile(file, 'late');
  const server = serve(folder);
  await server.ready();
  await rm(file);
  const statuses = [];
  for (const _time of [1, 2]) {
    statuses.push((await server.inject({ url: '/console/assets/late-abc.js' })).statusCode);
    await writeFile(file, 'late');
  }
  expect(statuses).toEqual([503, 200]);
  await rm(file);
  await server.close();
});

test.each([
  '/console/assets/main-old.js',
  '/console/assets/main-abc.js.br',
  '/console/assets/main-abc.js/',
  '/console/assets/..%2findex.html',
  '/console/assets/%2fmain-abc.js',
  '/console/assets/',
  '/console/missing.js',
])('%s is no page', async (url) => {
  const { statusCode, headers } = await app.inject({ url });
  expect(statusCode).toBe(404);
  expect(headers['content-type']).toContain('application/problem+json');
});

test('the settings are those of the service, and are asked for anew', async () => {
  const { headers, json } = await app.inject({ url: '/console/settings.json' });
  expect(json()).toEqual(settings);
  expect(headers['cache-control']).toBe('no-cache');
});

test('what is not built is not served', async () => {
  const empty = serve(join(folder, 'assets'));
  const { statusCode } = await empty.inject({ url: '/console' });
  expect(statusCode).toBe(404);
  await empty.close();
});
