import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { UserError } from '../platform/user-error.ts';
import { openBrowser } from '../testing/browser.ts';
import { testCredentials, testUser } from '../testing/global-setup.ts';
import type { Sent } from '../testing/http-client.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addClient, rotateClient, setClientDisabled } from './clients.ts';
import { addProvider, disableProvider } from './providers.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

/** A running service caches realms for a second. */
function advanceOneSecond(): void {
  vi.setSystemTime(Date.now() + 1_000);
}

const pathOf = (realm: string) => `/realms/${realm}/protocol/openid-connect/token`;
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const rightForm = {
  grant_type: 'client_credentials',
  client_id: testCredentials.clientId,
  client_secret: testCredentials.clientSecret,
};

function sendForm(
  form: Record<string, string> | string | Buffer,
  { realm = 'DE-ABC', ...sent }: Partial<Sent> & { realm?: string } = {},
) {
  const isRaw = typeof form === 'string' || Buffer.isBuffer(form);
  return service.send({
    method: 'POST',
    path: pathOf(realm),
    body: isRaw ? form : new URLSearchParams(form).toString(),
    ...sent,
    headers: { ...formType, ...sent.headers },
  });
}

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

async function newClient(provider = 'DE-ABC') {
  const { id, secret = '' } = await addClient(service.db, provider, { name: 'A machine' });
  return { clientId: id, clientSecret: secret };
}

function findVehicles(token: string) {
  return service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
}

describe('success', () => {
  test.each([
    ['without a scope', {}],
    ['with scope=openid', { scope: 'openid' }],
    ['with a scope that nobody knows', { scope: 'fleet' }],
  ])('%s has just the fields of the interface', async (_, extra) => {
    const { status, json, headers } = await sendForm({ ...rightForm, ...extra });
    expect(status).toBe(200);
    expect(json).toEqual({
      access_token: expect.any(String),
      expires_in: 300,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope: 'openid',
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toContain('application/json');
    expect((await findVehicles(json.access_token)).status).toBe(200);
  });

  test('the token says who issued it, to whom, and for five minutes', async () => {
    const { json } = await sendForm(rightForm);
    const { iat = 0, ...claims } = decodeJwt(json.access_token);
    expect(claims).toMatchObject({
      iss: `${service.url}/realms/DE-ABC`,
      exp: iat + 300,
      azp: testCredentials.clientId,
      typ: 'Bearer',
      scope: 'openid',
    });
  });

  test('HTTP Basic works as the form fields do, percent-encoded or not', async () => {
    const form = { grant_type: 'client_credentials' };
    for (const id of ['demo-client', 'demo%2Dclient']) {
      const { status } = await sendForm(form, { headers: basic(id, testCredentials.clientSecret) });
      expect(status).toBe(200);
    }
  });

  test('a page may ask from our own origin and where its client returns to, from nowhere else', async () => {
    const { id, secret = '' } = await addClient(service.db, 'DE-ABC', {
      name: 'A page',
      redirectUris: ['https://app.example.com/signed-in'],
    });
    const form = { ...rightForm, client_id: id, client_secret: secret };
    for (const origin of [service.url, 'https://app.example.com']) {
      const { status, headers } = await sendForm(form, { headers: { origin } });
      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe(origin);
    }
    for (const origin of ['https://evil.example.com', 'http://app.example.com', 'null']) {
      const { status, headers } = await sendForm(form, { headers: { origin } });
      expect(status).toBe(400);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('refusal', () => {
  test.each([
    ['unknown', 'DE-ZZZ'],
    ['malformed', 'nowhere'],
    ['written small', 'de-abc'],
    ['with a NUL', '%00'],
    ['with a line break', 'DE%0d%0aABC'],
    ['with half a character', '%c3'],
  ])('a realm that is %s is 404', async (_, realm) => {
    const { status } = await sendForm(rightForm, { realm });
    // A path that is no proper UTF-8 names nothing at all.
    expect(status).toBe(realm === '%c3' ? 400 : 404);
  });

  test('a disabled realm is 404 and looks like an unknown one', async () => {
    await service.db.transaction((tx) => addProvider(tx, 'DE-OFF', 'Off'));
    const credentials = await newClient('DE-OFF');
    expect((await requestToken(service.url, 'DE-OFF', credentials)).status).toBe(200);
    await disableProvider(service.db, 'DE-OFF');
    advanceOneSecond();
    const { status, text } = await requestToken(service.url, 'DE-OFF', credentials);
    expect(status).toBe(404);
    expect(text).toBe((await sendForm(rightForm, { realm: 'DE-ZZZ' })).text);
  });

  test('an unknown client and a wrong secret are 401 with the same bytes, in every way of asking', async () => {
    const { clientId, clientSecret } = await newClient();
    const form = { grant_type: 'client_credentials' };
    const answers = await Promise.all([
      sendForm({ ...form, client_id: clientId, client_secret: 'wrong' }),
      sendForm({ ...form, client_id: 'nobody', client_secret: clientSecret }),
      sendForm({ ...form, client_id: clientId }),
      sendForm({ ...form, client_id: 'nobody' }),
      sendForm({ ...form, client_id: 'motorpool-console', client_secret: 'wrong' }),
      sendForm(form, { headers: basic(clientId, 'wrong') }),
      sendForm(form, { headers: basic('nobody', clientSecret) }),
      sendForm({ ...form, client_id: clientId, client_secret: clientSecret }, { realm: 'FR-XYZ' }),
      sendForm(
        { ...form, client_id: clientId, client_secret: 'wrong' },
        { headers: { accept: 'text/html' } },
      ),
    ]);
    for (const { status, text, headers } of answers) {
      expect(status).toBe(401);
      expect(text).toBe(answers[0]?.text);
      expect(headers['content-type']).toContain('application/json');
    }
    expect(answers[0]?.json).toEqual({
      error: 'invalid_client',
      error_description: expect.any(String),
    });
  });

  test('resources that a form names are of no account: there is one', async () => {
    const parse = vi.spyOn(URL, 'parse');
    const named = new URLSearchParams(rightForm);
    for (const host of ['x', 'y']) named.append('resource', `https://${host}.example.com/`);
    for (const [body, type] of [
      [named.toString(), 'application/x-www-form-urlencoded'],
      [
        named.toString().replaceAll('resource', '%72esource'),
        'application/x-www-form-urlencoded; charset=utf-8',
      ],
    ]) {
      const { status, json } = await sendForm(body ?? '', {
        headers: { 'content-type': type ?? '' },
      });
      expect([status, decodeJwt(json.access_token).aud]).toEqual([
        200,
        decodeJwt((await sendForm(rightForm)).json.access_token).aud,
      ]);
    }
    const parsed = parse.mock.calls.map(([text]) => String(text));
    parse.mockRestore();
    expect(parsed.filter((text) => text.includes('example.com'))).toEqual([]);
  });

  test.each(['token', 'token/introspect', 'revoke'])(
    'a form of more than 20 KiB or 100 parameters is refused by %s before it is parsed',
    async (endpoint) => {
      const send = (body: string) =>
        service.send({
          method: 'POST',
          path: `/realms/DE-ABC/protocol/openid-connect/${endpoint}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        });
      const long = await send(`token=${'x'.repeat(20 * 1_024)}`);
      expect([long.status, long.json.error]).toEqual([413, 'invalid_request']);
      const many = await send('a&'.repeat(100));
      expect([many.status, many.json]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description: expect.stringContaining('more than 100 parameters'),
        },
      ]);
      expect((await send('a&'.repeat(99))).text).not.toContain('more than 100');
    },
  );

  test.each<[string, Partial<Sent> & { form?: Record<string, string> | string }, number]>([
    ['no grant type', { form: { ...rightForm, grant_type: '' } }, 400],
    ['the password grant', { form: { ...rightForm, grant_type: 'password' } }, 400],
    ['the implicit grant', { form: { ...rightForm, grant_type: 'implicit' } }, 400],
    [
      'the device grant',
      { form: { ...rightForm, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' } },
      400,
    ],
    [
      'a code, by a client that signs nobody in',
      { form: { ...rightForm, grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' } },
      400,
    ],
    [
      'client credentials, by a public client',
      { form: { grant_type: 'client_credentials', client_id: 'motorpool-console' } },
      400,
    ],
    [
      'a JSON body',
      { form: JSON.stringify(rightForm), headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 400],
    ['a content type that is none', { headers: { 'content-type': 'form' } }, 415],
    ['an empty form', { form: '' }, 400],
    ['two ways of authentication', { headers: basic('demo-client', 'demo-secret') }, 400],
    [
      'a bearer instead of credentials',
      { headers: { authorization: 'Bearer x' }, form: { grant_type: 'client_credentials' } },
      400,
    ],
    ['GET', { method: 'GET' }, 405],
    ['PUT', { method: 'PUT' }, 405],
    ['an unknown realm', { path: pathOf('DE-ZZZ') }, 404],
  ])('%s is refused in OAuth’s shape', async (_, { form = rightForm, ...sent }, expected) => {
    const { status, json, headers } = await sendForm(form, sent);
    expect(status).toBe(expected);
    expect(json).toEqual({ error: expect.any(String), error_description: expect.any(String) });
    expect(headers['cache-control']).toBe('no-store');
    if (expected === 405) expect(headers.allow).toBe('POST, OPTIONS');
  });

  test('nothing at all is refused', async () => {
    const { status, json } = await service.send({ method: 'POST', path: pathOf('DE-ABC') });
    expect(status).toBe(400);
    expect(json.error).toBe('invalid_request');
  });

  test.each<[string, string | Buffer]>([
    [
      'NUL in the client id',
      'grant_type=client_credentials&client_id=demo%00client&client_secret=x',
    ],
    ['NUL in the secret', 'grant_type=client_credentials&client_id=demo-1&client_secret=%00'],
    [
      'broken UTF-8',
      Buffer.from('grant_type=client_credentials&client_id=\xff\xc3&client_secret=\xed', 'latin1'),
    ],
    [
      'encoded broken UTF-8',
      'grant_type=client_credentials&client_id=%ff%c3&client_secret=%ed%a0%80',
    ],
    ['broken percent-encoding', 'grant_type=client_credentials&client_id=%zz&client_secret=%'],
    ['1 MiB of form', `client_id=${'x'.repeat(1024 * 1024)}`],
    [
      'a long client id',
      `grant_type=client_credentials&client_id=${'x'.repeat(50_000)}&client_secret=x`,
    ],
    ['10,000 parameters', Array.from({ length: 10_000 }, (_, index) => `p${index}=1`).join('&')],
    ['10,000 equal parameters', Array(10_000).fill('a=1').join('&')],
    [
      'the client id twice',
      'grant_type=client_credentials&client_id=demo-client&client_id=demo-client&client_secret=x',
    ],
    [
      'the secret twice',
      'grant_type=client_credentials&client_id=demo-client&client_secret=x&client_secret=demo-secret',
    ],
    ['the grant type twice', `${new URLSearchParams(rightForm)}&grant_type=client_credentials`],
    [
      'names of the language',
      '__proto__=1&constructor=2&toString=3&client_id=__proto__&client_secret=x&grant_type=client_credentials',
    ],
    [
      'a scope of control characters',
      `${new URLSearchParams({ ...rightForm, scope: '\u0000"\\' })}`,
    ],
  ])('%s is refused, and never a fault of ours', async (_, body) => {
    const { status, json } = await sendForm(body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(json).toMatchObject({
      error: expect.any(String),
      error_description: expect.any(String),
    });
  });

  test.each([
    ['not base64', 'Basic ???'],
    ['no colon', `Basic ${btoa('demo-client')}`],
    ['no secret', `Basic ${btoa('demo-client:')}`],
    ['broken percent-encoding', `Basic ${btoa('%zz:%')}`],
    ['NUL', `Basic ${btoa('demo%00:\0')}`],
    ['empty', 'Basic'],
  ])('a Basic header that is wrong (%s) is 400', async (_, authorization) => {
    const { status } = await sendForm(
      { grant_type: 'client_credentials' },
      { headers: { authorization } },
    );
    expect(status).toBe(400);
  });
});

describe('clients', () => {
  test('a disabled client is refused at once, and so are the tokens that it holds', async () => {
    const credentials = await newClient();
    const { json } = await requestToken(service.url, 'DE-ABC', credentials);
    expect((await findVehicles(json.access_token)).status).toBe(200);
    await setClientDisabled(service.db, 'DE-ABC', credentials.clientId, true);
    expect((await requestToken(service.url, 'DE-ABC', credentials)).status).toBe(401);
    advanceOneSecond();
    const { status, headers } = await findVehicles(json.access_token);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('a new secret works at once, and the old one no longer', async () => {
    const old = await newClient();
    expect((await requestToken(service.url, 'DE-ABC', old)).status).toBe(200);
    const rotated = await rotateClient(service.db, 'DE-ABC', old.clientId, 0);
    expect((await requestToken(service.url, 'DE-ABC', old)).status).toBe(401);
    const renewed = { ...old, clientSecret: rotated?.secret ?? '' };
    expect((await requestToken(service.url, 'DE-ABC', renewed)).status).toBe(200);
  });

  test('a client is not made with an address that it could not be sent back to, or not in secret', async () => {
    for (const uri of [
      'com.example.app:/signed-in',
      'signed-in',
      'https://a.example/#x',
      '',
      'http://app.example.com/signed-in',
      'http://192.168.0.7/',
      'http://localhost.example.com/',
      'http://localhost@app.example.com/',
      'http://127.0.0.1.example.com/',
      'http://[::2]/',
    ]) {
      for (const addresses of [{ redirectUris: [uri] }, { postLogoutRedirectUris: [uri] }]) {
        await expect(
          addClient(service.db, 'DE-ABC', { name: 'An app', ...addresses }),
        ).rejects.toThrow(UserError);
      }
    }
  });

  test('a client on this machine may be sent back without TLS', async () => {
    const redirectUris = ['http://localhost:3000/', 'http://127.0.0.1/x', 'http://[::1]:3000/'];
    const { id } = await addClient(service.db, 'DE-ABC', { name: 'A tool', redirectUris });
    expect(id).toMatch(/^a-tool-/);
  });

  test('the credentials of the demo are worth nothing outside of it', async () => {
    const serving = await startTestService({
      database: service.database,
      allowDemoCredentials: false,
    });
    try {
      const real = await newClient();
      expect((await requestToken(serving.url, 'DE-ABC', testCredentials)).status).toBe(401);
      expect((await requestToken(serving.url, 'DE-ABC', real)).status).toBe(200);
    } finally {
      await serving.stop();
    }
  });
});

test('no secret, no password and no token is ever logged or answered', async () => {
  const { clientId, clientSecret } = await newClient();
  const form = { grant_type: 'client_credentials', client_id: clientId };
  const { json } = await sendForm({ ...form, client_secret: clientSecret });
  const attempts = await Promise.all([
    sendForm({ ...form, client_secret: `${clientSecret}-wrong` }),
    sendForm({
      ...form,
      client_secret: clientSecret,
      grant_type: 'password',
      password: 'hunter22',
    }),
    sendForm(
      { grant_type: 'client_credentials' },
      { headers: basic(clientId, `${clientSecret}-wrong`) },
    ),
    sendForm({ ...form, client_secret: clientSecret }, { headers: basic(clientId, clientSecret) }),
    sendForm(`client_secret=${clientSecret}&client_secret=${clientSecret}`),
    sendForm(form, { path: `${pathOf('DE-ABC')}?client_secret=${clientSecret}` }),
    findVehicles(`${json.access_token}x`),
  ]);
  const [header, , signature] = json.access_token.split('.');
  for (const text of [...service.log, ...attempts.map((answer) => JSON.stringify(answer))]) {
    for (const secret of [clientSecret, 'hunter22', header, signature]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(service.log.length).toBeGreaterThan(attempts.length);
});

describe('while the database does not answer', () => {
  let waiting: TestService;

  beforeAll(async () => {
    waiting = await startTestService({ database: service.database, statementTimeoutMs: 300 });
  });
  afterAll(() => waiting.stop());

  /** Locks the table exclusively during `work`. */
  function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
    return service.owner.transaction(async (tx) => {
      await tx.queryUnprepared(`lock table ${table} in access exclusive mode`);
      await work();
    });
  }

  test.each(['providers', 'clients'])(
    '(%s) it is 503, and says when to ask again',
    async (table) => {
      await requestToken(waiting.url, 'DE-ABC', testCredentials);
      await whileLocked(table, async () => {
        // The realm is cached, so that the client is read.
        if (table === 'providers') advanceOneSecond();
        const { status, json, headers } = await requestToken(
          waiting.url,
          'DE-ABC',
          testCredentials,
        );
        expect(status).toBe(503);
        expect(json).toEqual({
          error: 'temporarily_unavailable',
          error_description: expect.any(String),
        });
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      });
      expect((await requestToken(waiting.url, 'DE-ABC', testCredentials)).status).toBe(200);
    },
  );

  test('a person who signs in is not told that the sign-in is over', async () => {
    const browser = openBrowser(waiting.url);
    const { id } = await addClient(service.db, 'DE-ABC', {
      name: 'An application',
      redirectUris: ['https://app.example.com/'],
    });
    const parameters = new URLSearchParams({
      client_id: id,
      redirect_uri: 'https://app.example.com/',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const start = `${waiting.url}/realms/DE-ABC/protocol/openid-connect/auth?${parameters}`;
    const login = await browser.visit(start);
    await whileLocked('oidc_records', async () => {
      for (const page of [
        await browser.submit(login, testUser),
        await browser.visit(login.url),
        await browser.visit(start),
      ]) {
        expect(page.status).toBe(503);
        expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
      }
    });
    expect((await browser.submit(login, testUser)).url).toContain('code=');
  });
});
