import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { buildInfo, buildName } from '../build-info.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const home = (accept?: string) => service.send({ path: '/', headers: { accept } });

test('a browser gets a page whose links are served, and which loads nothing', async () => {
  const { status, headers, text } = await home(
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  );
  expect([status, headers['content-type'], headers.vary]).toEqual([
    200,
    'text/html; charset=utf-8',
    'Accept, Accept-Encoding',
  ]);
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(text).toContain(`Version ${buildName} `);
  expect(text).not.toMatch(/<script|src=|url\(|@import|https?:/);
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(links).toContain('/docs');
  for (const path of links) expect((await service.send({ path })).status, path).toBe(200);
});

test('a program gets JSON with the links', async () => {
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html']) {
    const { status, json } = await home(accept);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: 'Motorpool',
      ...buildInfo,
      links: {
        reference: '/docs',
        guides: '/docs/guides',
        openapi: '/openapi.json',
        health: '/health',
      },
    });
  }
});
