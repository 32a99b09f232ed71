import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { addProvider } from './providers.ts';

let service: TestService;
let clientId: string;

const origin = 'https://app.example.com';
const foreign = 'https://evil.example.com';
const paths = '/realms/DE-ABC/protocol/openid-connect';

beforeAll(async () => {
  service = await startTestService();
  ({ id: clientId } = await addClient(service.db, 'DE-ABC', {
    name: 'Page',
    isPublic: true,
    redirectUris: [`${origin}/signed-in`, 'http://localhost:3000/x'],
  }));
  await addClient(service.db, 'FR-XYZ', {
    name: 'Page',
    isPublic: true,
    redirectUris: [`${foreign}/signed-in`],
  });
  const disabled = await addClient(service.db, 'DE-ABC', {
    name: 'Before',
    redirectUris: ['https://before.example.com/'],
  });
  await service.call('POST', `/administration/clients/${disabled.id}/disable`);
});
afterAll(() => service.stop());

const corsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const ask = (path: string, from: string, method = 'POST') =>
  service.send({
    method: 'OPTIONS',
    path,
    headers: {
      origin: from,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    },
  });

const requestToken = (from: string | undefined, client_id = clientId) =>
  service.send({
    method: 'POST',
    path: `${paths}/token`,
    headers: { origin: from, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id,
    }).toString(),
  });

describe('a page of a registered redirect URI', () => {
  test.each([
    ['token', 'true'],
    ['revoke', 'true'],
    ['userinfo', undefined],
    ['logout', undefined],
  ])('may send requests to %s', async (endpoint, credentials) => {
    for (const from of [origin, 'http://localhost:3000']) {
      const { status, headers } = await ask(`${paths}/${endpoint}`, from);
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': from,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'authorization',
        vary: 'Origin',
      });
      expect(headers['access-control-allow-credentials']).toBe(credentials);
    }
  });

  test('reads answers and errors', async () => {
    const refused = await requestToken(origin);
    expect([refused.status, refused.json.error]).toEqual([400, 'invalid_grant']);
    expect(refused.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
    });
    const unauthorized = await service.send({ path: `${paths}/userinfo`, headers: { origin } });
    expect([unauthorized.status, unauthorized.headers['access-control-allow-origin']]).toEqual([
      401,
      origin,
    ]);
    const profile = await service.send({
      path: '/realms/DE-ABC/account',
      headers: { origin, authorization: 'Bearer x' },
    });
    expect([profile.status, profile.headers['access-control-allow-origin']]).toEqual([401, origin]);
  });
});

describe.each([
  ['nobody registered', 'https://nobody.example.com'],
  ['another realm has', foreign],
  ['a disabled client has', 'https://before.example.com'],
  ['is none', 'null'],
  ['differs by its port', `${origin}:8443`],
])('a page of an origin that %s', (_, from) => {
  test('is never named, whatever it asks for', async () => {
    for (const endpoint of ['token', 'token/introspect', 'revoke', 'userinfo', 'logout', 'auth']) {
      const { headers } = await ask(`${paths}/${endpoint}`, from);
      expect(corsOf(headers), endpoint).toEqual([]);
    }
    for (const client of [clientId, 'demo-client', 'nobody', ''])
      expect(corsOf((await requestToken(from, client)).headers), client).toEqual([]);
    for (const path of [`${paths}/userinfo`, `${paths}/logout`, '/realms/DE-ABC/account'])
      expect(corsOf((await service.send({ path, headers: { origin: from } })).headers)).toEqual([]);
  });

  test('uses no client of ours', async () => {
    const { status, json } = await requestToken(from);
    expect([status, json.error]).toEqual([400, 'invalid_request']);
  });
});

test('nor is one of a realm that nobody has, whatever its name', async () => {
  for (const realm of ['DE-ZZZ', '%00', 'x'.repeat(15_000)]) {
    const at = `/realms/${realm}/protocol/openid-connect`;
    expect(corsOf((await ask(`${at}/token`, origin)).headers)).toEqual([]);
    const { status } = await service.send({ path: `${at}/userinfo`, headers: { origin } });
    expect([401, 404]).toContain(status);
  }
});

test('of a realm with many thousand addresses, a bounded number is looked at', async () => {
  await addProvider(service.db, 'DE-MNY', 'Many');
  await service.db.query(
    `insert into clients (provider, id, name, redirect_uris)
     select 'DE-MNY', 'many-' || n, 'Many', array(select 'https://h' || n || '-' || m || '.example.com/in' from generate_series(1, 50) m)
     from generate_series(1, 100) n`,
  );
  const at = '/realms/DE-MNY/protocol/openid-connect/token';
  const asked = Array.from({ length: 100 }, (_, n) => `https://h${n + 1}-1.example.com`);
  const answers = await Promise.all(asked.map((from) => ask(at, from)));
  const named = answers.filter(({ headers }) => corsOf(headers).length > 0);
  expect(named).toHaveLength(40);
});

test('a request without an origin is answered without one', async () => {
  expect(corsOf((await requestToken(undefined)).headers)).toEqual([]);
});

describe('the pages that applications frame', () => {
  const framed = ['3p-cookies/step2.html', 'login-status-iframe.html'];

  test.each([
    ['nobody', {}],
    ['a stranger', { referer: 'https://evil.example/' }],
    ['an application', { referer: `${origin}/some/page` }],
  ])('can be framed by any page, and tell %s no origin that is registered', async (_, sent) => {
    for (const page of framed) {
      const { status, headers, text } = await service.send({
        path: `${paths}/${page}`,
        headers: sent,
      });
      const policy = String(headers['content-security-policy']);
      expect([status, headers['x-frame-options']]).toEqual([200, undefined]);
      expect(policy).not.toMatch(/unsafe|frame-ancestors|\*/);
      expect(JSON.stringify([headers, text])).not.toMatch(/app\.example\.com|localhost:3000/);
    }
  });

  test('are the only ones: no other page of a realm can be framed', async () => {
    for (const path of ['/login/x', '/account', '/protocol/openid-connect/logout']) {
      const { headers } = await service.send({ path: `/realms/DE-ABC${path}` });
      expect(headers['x-frame-options']).toBe('DENY');
    }
  });

  test('tell whether cookies come back, by a cookie as strict as that of the session', async () => {
    const first = await service.send({ path: `${paths}/3p-cookies/step1.html` });
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect([first.status, first.headers.location]).toEqual([303, 'step2.html']);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    const path = `${paths}/3p-cookies/step2.html`;
    const back = await service.send({ path, headers: { cookie: cookie.split(';')[0] } });
    expect(back.text).toContain(`'supported'`);
    expect((await service.send({ path })).text).toContain(`'unsupported'`);
  });

  test('tell the state of a session to pages of the client alone', async () => {
    const init = (client: string, from: string) =>
      service.send({
        path: `${paths}/login-status-iframe.html/init?${new URLSearchParams({ client_id: client, origin: from })}`,
      });
    expect((await init(clientId, origin)).status).toBe(204);
    for (const [client, from] of [
      [clientId, foreign],
      ['nobody', origin],
      ['demo-client', origin],
      ['\0', origin],
    ] as const)
      expect((await init(client, from)).status, client).toBe(403);
  });
});
