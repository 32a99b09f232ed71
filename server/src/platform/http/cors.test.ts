import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const origin = 'https://app.example.com';
const vehicles = '/api/fleets/v1/DE/ABC/vehicles';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ corsOrigins: [origin] });
});
afterAll(() => service.stop());

const corsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('a page of an allowed origin', () => {
  test('may send any request of the interface, and is not asked for a token before', async () => {
    for (const path of [
      vehicles,
      `${vehicles}/x`,
      '/api/fleets/v1/DE/ABC/x/status',
      '/openapi.json',
    ]) {
      const { status, headers } = await service.send({
        method: 'OPTIONS',
        path,
        headers: { origin, 'access-control-request-method': 'PUT' },
      });
      expect(status, path).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'Authorization, *',
        vary: 'Origin',
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('reads answers, errors and the headers that integrators need', async () => {
    const found = await service.call('POST', '/vehicles', {}, { origin });
    const refused = await service.send({ method: 'POST', path: vehicles, headers: { origin } });
    const missing = await service.send({ path: '/api/nothing', headers: { origin } });
    const document = await service.send({ path: '/openapi.json', headers: { origin } });
    expect([found, refused, missing, document].map(({ status }) => status)).toEqual([
      200, 401, 404, 200,
    ]);
    for (const { headers } of [found, refused, missing, document]) {
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      for (const name of ['ETag', 'Location', 'RateLimit', 'Retry-After', 'X-Request-Id'])
        expect(headers['access-control-expose-headers']).toContain(name);
    }
  });
});

test.each([
  'https://evil.example.com',
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'null',
])('a page of %s is not named, and the request is answered as ever', async (other) => {
  const asked = await service.send({
    method: 'OPTIONS',
    path: vehicles,
    headers: { origin: other, 'access-control-request-method': 'POST' },
  });
  expect([asked.status, corsOf(asked.headers)]).toEqual([405, []]);
  const { status, headers } = await service.call('POST', '/vehicles', {}, { origin: other });
  expect([status, corsOf(headers), headers.vary]).toEqual([200, [], 'Origin']);
});

test('the other paths of the service allow no origin', async () => {
  for (const path of ['/health/live', '/docs', '/metrics', '/apix']) {
    const { headers } = await service.send({ path, headers: { origin } });
    expect(corsOf(headers), path).toEqual([]);
  }
});

test('with an asterisk every page may, without credentials; without the setting none', async () => {
  const sent = { path: '/openapi.json', headers: { origin: 'https://anything.example' } };
  const { database } = service;
  for (const [corsOrigins, expected] of [
    ['*', '*'],
    [[], undefined],
  ] as const) {
    const other = await startTestService({ database, corsOrigins });
    const { headers } = await other.send(sent);
    await other.stop();
    expect(headers['access-control-allow-origin']).toBe(expected);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
});
