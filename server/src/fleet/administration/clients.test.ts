import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { maxClients } from '../../auth/clients.ts';
import { removeExpiredRecords } from '../../auth/oidc-adapter.ts';
import { problemType } from '../../testing/problem-type.ts';
import { signInUser } from '../../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleClientRequest } from './client.ts';

/** Two processes on one database, behind the address of the first. */
let one: TestService;
let other: TestService;

const clients = '/administration/clients';
type Credentials = { clientId: string; clientSecret: string };

beforeAll(async () => {
  one = await startTestService();
  other = await startTestService({ database: one.database, publicUrl: one.url });
});
afterAll(async () => {
  vi.useRealTimers();
  await other.stop();
  await one.stop();
});

/** A running service caches realms for a second. */
function advanceOneSecond(): void {
  vi.setSystemTime(Date.now() + 1_000);
}

async function create(body: object = {}) {
  const answer = await one.call('POST', clients, { name: 'Test', role: 'viewer', ...body });
  const { id, secret } = answer.json;
  return {
    ...answer,
    path: `${clients}/${id}`,
    credentials: { clientId: id, clientSecret: secret } as Credentials,
  };
}

const tokenOf = (credentials: Credentials, service = one) =>
  requestToken(service.url, 'DE-ABC', credentials);

const find = (service: TestService, token: string) =>
  service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });

test('a client is made with a secret that is shown once, read, overwritten and deleted', async () => {
  const made = await one.call('POST', clients, exampleClientRequest);
  expect(made.status).toBe(201);
  const { id, secret, ...rest } = made.json;
  expect(id).toMatch(/^erp-[0-9a-f]{10}$/);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(rest).toMatchObject({ ...exampleClientRequest, public: false });
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC${clients}/${id}`);
  const read = await one.call('GET', `${clients}/${id}`);
  expect(read.json).toEqual({ id, ...rest });

  const put = await one.call('PUT', `${clients}/${id}`, { name: 'Other', role: 'databox' });
  expect(put.json).toEqual({
    id,
    name: 'Other',
    role: 'databox',
    public: false,
    createdAt: rest.createdAt,
    updatedAt: put.json.updatedAt,
  });
  expect((await one.call('DELETE', `${clients}/${id}`)).status).toBe(204);
  expect((await one.call('GET', `${clients}/${id}`)).status).toBe(404);
});

test('what no client can have is 400, and each of it is named', async () => {
  const { status, json } = await one.call('POST', clients, {
    name: 'Test',
    networks: ['192.0.2.0/24', '192.0.2.0/33', 'fe80::1%eth0'],
    redirectUris: ['com.example.app:/signed-in'],
    postLogoutRedirectUris: ['https://app.example.com/#x'],
    expiresAt: '2020-01-01T00:00:00Z',
  });
  expect(status).toBe(400);
  expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/redirectUris/0',
    '/postLogoutRedirectUris/0',
    '/networks/1',
    '/networks/2',
    '/expiresAt',
  ]);
  const empty = await one.call('POST', clients, { name: 'Page', public: true });
  expect([empty.status, empty.json.errors[0].pointer]).toEqual([400, '/redirectUris']);
});

describe('a rotation', () => {
  test('without an overlap refuses the previous secret and its tokens', async () => {
    const { path, credentials } = await create();
    const { json } = await tokenOf(credentials);
    const rotated = await one.call('POST', `${path}/rotate`);
    expect(rotated.json).not.toHaveProperty('previousSecretExpiresAt');
    const next = { ...credentials, clientSecret: rotated.json.secret };
    advanceOneSecond();
    for (const service of [one, other]) {
      expect((await tokenOf(credentials, service)).status).toBe(401);
      expect((await tokenOf(next, service)).status).toBe(200);
      expect((await find(service, json.access_token)).status).toBe(401);
    }
  });

  test('ends the administration by the previous secret at once', async () => {
    const { path, credentials } = await create({ role: 'admin' });
    const { json } = await tokenOf(credentials);
    const headers = { authorization: `Bearer ${json.access_token}` };
    const rotate = async () => (await one.call('POST', `${path}/rotate`, {}, headers)).status;
    expect([await rotate(), await rotate()]).toEqual([200, 401]);
  });

  test('with one accepts both secrets until it ends, and their tokens', async () => {
    const { path, credentials } = await create();
    const { json } = await tokenOf(credentials);
    const rotated = await one.call('POST', `${path}/rotate`, { keepPreviousHours: 24 });
    const until = Date.parse(rotated.json.previousSecretExpiresAt) - Date.now();
    expect(Math.round(until / 3_600_000)).toBe(24);
    const next = { ...credentials, clientSecret: rotated.json.secret };
    advanceOneSecond();
    for (const service of [one, other]) {
      for (const both of [credentials, next])
        expect((await tokenOf(both, service)).status).toBe(200);
      expect((await find(service, json.access_token)).status).toBe(200);
    }
    expect((await tokenOf({ ...credentials, clientSecret: 'wrong' })).status).toBe(401);

    await one.db.query(
      `update clients set previous_expires_at = now() - interval '1 hour' where provider = 'DE-ABC' and id = $1`,
      [credentials.clientId],
    );
    expect((await tokenOf(credentials)).status).toBe(401);
    expect((await tokenOf(next)).status).toBe(200);
    expect((await one.call('GET', path)).json).not.toHaveProperty('previousSecretExpiresAt');
  });

  test('again refuses the secret before the previous one', async () => {
    const { path, credentials } = await create();
    const overlap = { keepPreviousHours: 1 };
    const second = (await one.call('POST', `${path}/rotate`, overlap)).json.secret;
    const third = (await one.call('POST', `${path}/rotate`, overlap)).json.secret;
    const statuses = await Promise.all(
      [credentials.clientSecret, second, third].map(
        async (clientSecret) => (await tokenOf({ ...credentials, clientSecret })).status,
      ),
    );
    expect(statuses).toEqual([401, 200, 200]);
  });

  test('of a public client is 409', async () => {
    const redirectUris = ['https://app.example.com/'];
    const { path, json } = await create({ public: true, redirectUris });
    expect(json).not.toHaveProperty('secret');
    const { status, json: problem } = await one.call('POST', `${path}/rotate`);
    expect([status, problem.type]).toEqual([409, problemType('public-client')]);
    const put = await one.call('PUT', path, { name: 'Page' });
    expect([put.status, put.json.type]).toEqual([409, problemType('redirect-uri-needed')]);
  });

  test('leaves nothing of an expired secret behind', async () => {
    const { path, credentials } = await create();
    await one.call('POST', `${path}/rotate`, { keepPreviousHours: 1 });
    const kept = () =>
      one.db.query('select 1 from clients where id = $1 and previous_secret_hash is not null', [
        credentials.clientId,
      ]);
    expect(await kept()).toHaveLength(1);
    await one.db.query(
      `update clients set previous_expires_at = now() - interval '1 s' where id = $1`,
      [credentials.clientId],
    );
    await one.db.transaction((tx) => one.dependencies.jobs.add(tx, removeExpiredRecords, {}));
    await one.runJobs();
    expect(await kept()).toEqual([]);
  });
});

describe('the tokens of a client, and of people who signed in through it, are refused within a second', () => {
  const redirectUri = 'https://app.example.com/signed-in';
  const application = { public: true, role: 'admin', redirectUris: [redirectUri] };
  const overwrite = (changed: object) => (path: string) =>
    one.call('PUT', path, { name: 'Test', role: 'viewer', ...changed });

  test.each([
    ['disabled', (path: string) => one.call('POST', `${path}/disable`)],
    ['deleted', (path: string) => one.call('DELETE', path)],
    ['given another role', overwrite({ role: 'databox' })],
    ['bound to networks', overwrite({ networks: ['127.0.0.0/8'] })],
    ['given an expiry', overwrite({ expiresAt: '2099-01-01T00:00:00Z' })],
  ])('when it is %s', async (_, change) => {
    const { path, credentials } = await create();
    const { json } = await tokenOf(credentials);
    for (const service of [one, other])
      expect((await find(service, json.access_token)).status).toBe(200);
    expect((await change(path)).status).toBeLessThan(300);
    advanceOneSecond();
    for (const service of [one, other])
      expect((await find(service, json.access_token)).status).toBe(401);
  });

  test.each([
    ['disabled', (path: string) => one.call('POST', `${path}/disable`), false],
    ['deleted', (path: string) => one.call('DELETE', path), false],
    [
      'given another role',
      (path: string) =>
        one.call('PUT', path, { name: 'Page', role: 'databox', redirectUris: [redirectUri] }),
      true,
    ],
  ])('when it is %s that they signed in to', async (_, change, refreshes) => {
    const { path, json } = await create(application);
    const user = await signInUser(one, {
      username: 'demo',
      password: 'demo',
      clientId: json.id,
      redirectUri,
    });
    expect((await find(other, user.accessToken)).status).toBe(200);
    await change(path);
    advanceOneSecond();
    for (const service of [one, other])
      expect((await find(service, user.accessToken)).status).toBe(401);
    const refreshed = await user.refresh();
    expect(refreshed.status === 200).toBe(refreshes);
    // The new role permits less, through this client.
    if (refreshes) expect((await find(one, refreshed.json.access_token)).status).toBe(403);
  });

  /** A request of an editor, whose head the service has read. */
  async function begin(method: string, path: string, headers: Record<string, string> = {}) {
    const client = await create({ role: 'editor' });
    const { access_token: token } = (await tokenOf(client.credentials)).json;
    expect((await find(one, token)).status).toBe(200);
    const sent = request(`${one.url}/api/fleets/v1/DE/ABC${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, expect: '100-continue', ...headers },
    });
    const answered = once(sent, 'response').then(([response]) => response);
    sent.flushHeaders();
    await once(sent, 'continue');
    return { client, sent, answered };
  }

  test.each([
    ['a record', 'PUT', '/DE*ABC*LATE', '{}'],
    ['messages', 'POST', '/databox/messages', '[{"vehicleId":"DE*ABC*T0000"}]'],
    ['a search', 'POST', '/vehicles', '{}'],
    ['an upload', 'POST', '/imports/vehicles', 'asset.id\nDE*ABC*LATE\n'],
  ])('when the body of a request comes after that: %s', async (_, method, path, body) => {
    const { client, sent, answered } = await begin(method, path, {
      'content-type': 'application/json',
      'content-length': String(body.length),
    });
    await one.call('POST', `${client.path}/disable`);
    advanceOneSecond();
    sent.end(body);
    const { statusCode, headers } = await answered;
    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toContain('invalid_token');
    expect((await one.call('GET', '/DE*ABC*LATE')).status).toBe(404);
  });

  test('when an upload goes on after that, before its end', async () => {
    const { client, sent, answered } = await begin('POST', '/imports/vehicles');
    sent.write('asset.id\n');
    await one.call('POST', `${client.path}/disable`);
    advanceOneSecond();
    sent.write('DE*ABC*LATE\n');
    const { statusCode } = await answered;
    expect(statusCode).toBe(401);
    sent.destroy();
  });

  test('when no byte of an upload has come for so long that it is forgotten', async () => {
    const { sent, answered } = await begin('POST', '/imports/vehicles');
    sent.write('asset.id\n');
    await expect.poll(() => one.call('GET', '/DE*ABC*LATE')).toMatchObject({ status: 404 });
    vi.setSystemTime(Date.now() + 241_000);
    sent.end('DE*ABC*LATE\n');
    const { statusCode } = await answered;
    expect(statusCode).toBe(408);
    vi.setSystemTime(Date.now() - 241_000);
  });

  test('but not when it is only renamed', async () => {
    const { path, credentials } = await create();
    const { json } = await tokenOf(credentials);
    await one.call('PUT', path, { name: 'Renamed', role: 'viewer' });
    advanceOneSecond();
    expect((await find(one, json.access_token)).status).toBe(200);
  });

  test('and an enabled client gets new ones, with the secret that it had', async () => {
    const { path, credentials } = await create();
    const before = (await tokenOf(credentials)).json.access_token;
    await one.call('POST', `${path}/disable`);
    expect((await tokenOf(credentials)).status).toBe(401);
    await one.call('POST', `${path}/enable`);
    const after = (await tokenOf(credentials)).json.access_token;
    advanceOneSecond();
    expect((await find(one, before)).status).toBe(401);
    expect((await find(one, after)).status).toBe(200);
  });
});

test('a client does not end its own access', async () => {
  const { path, credentials } = await create({ role: 'admin' });
  const { json } = await tokenOf(credentials);
  const headers = { authorization: `Bearer ${json.access_token}` };
  for (const [method, target, body] of [
    ['POST', `${path}/disable`],
    ['DELETE', path],
    ['PUT', path, { name: 'Me', role: 'editor' }],
    ['PUT', path, { name: 'Me' }],
    ['PUT', path, { name: 'Me', role: 'admin', networks: ['192.0.2.0/24'] }],
    ['PUT', path, { name: 'Me', role: 'admin', expiresAt: '2100-01-01T00:00:00Z' }],
  ] as const) {
    const { status, json: problem } = await one.call(method, target, body, headers);
    expect([status, problem.type], `${method} ${JSON.stringify(body)}`).toEqual([
      409,
      problemType('own-access'),
    ]);
  }
  const settings = { name: 'Me', role: 'admin', networks: ['127.0.0.0/8', '::1'] };
  expect((await one.call('PUT', path, settings, headers)).status).toBe(200);
});

test('a search finds clients by their settings, without their secrets', async () => {
  const { json: made } = await create({ name: 'Söke', networks: ['198.51.100.7'] });
  const { json } = await one.call('POST', `${clients}/search`, {
    filters: [
      { value: 'söke' },
      { field: 'networks', value: '198.51.100.7' },
      { field: 'public', value: false },
      { field: 'createdAt', value: made.createdAt },
    ],
  });
  expect(json.items.map(({ id }: { id: string }) => id)).toEqual([made.id]);
  expect(json.items[0]).not.toHaveProperty('secret');
});

describe('an id that was chosen', () => {
  test('is that of the client, once, and stays when the settings change', async () => {
    const { status, json, path } = await create({ id: 'Fleet.Board_1', audiences: ['reports'] });
    expect([status, json.id, json.audiences]).toEqual([201, 'Fleet.Board_1', ['reports']]);
    const again = await create({ id: 'Fleet.Board_1' });
    expect([again.status, again.json.type]).toEqual([409, problemType('client-id-taken')]);
    const { json: put } = await one.call('PUT', path, { name: 'Board', id: 'other' });
    expect(put).toMatchObject({ id: 'Fleet.Board_1', name: 'Board' });
    expect(put).not.toHaveProperty('audiences');
  });

  test.each([
    'motorpool-console',
    'motorpool-x',
    '0d9f3a54-6b1e-4c7a-9a3d-2f8e5b7c1d60',
    'a b',
    '-a',
    'é',
    'a/b',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
  ])('is 400 when it is %j', async (id) => {
    const { status, json } = await create({ id });
    expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      400,
      ['/id'],
    ]);
  });
});

test.each([
  'https://app.example.com/*',
  'https://*.example.com/signed-in',
  'http://localhost:*/signed-in',
  'https://app.example.com/?next=*',
])('a wildcard in an address is refused when it is registered: %s', async (uri) => {
  for (const name of ['redirectUris', 'postLogoutRedirectUris']) {
    const { status, json } = await create({ [name]: [uri] });
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      { pointer: `/${name}/0`, detail: expect.stringContaining('has an asterisk') },
    ]);
  }
});

test.each([
  ['https://a;b.example/signed-in', 'The host'],
  ["https://a'b.example/signed-in", 'The host'],
  ['https://ada@app.example.com/signed-in', 'names a user'],
  ['https://app.example.com/signed in', 'has a blank'],
  ['https://app.example.com/signed-in\n', 'has a blank'],
  ['https://app.example.com/\u007f', 'has a blank'],
  ['https://app.example.com\\signed-in', 'has a blank'],
])('an address that browsers read otherwise is refused: %s', async (uri, detail) => {
  for (const name of ['redirectUris', 'postLogoutRedirectUris']) {
    const { status, json } = await create({ [name]: [uri] });
    expect([status, json.errors]).toEqual([
      400,
      [{ pointer: `/${name}/0`, detail: expect.stringContaining(detail) }],
    ]);
  }
  const addresses = [
    'http://[::1]:8080/a',
    'https://xn--bcher-kva.example',
    'https://bücher.example',
  ];
  expect((await create({ redirectUris: addresses })).status).toBe(201);
});

test('an asset provider has a thousand clients at most, also when they are made at once', async () => {
  await one.db.query(
    `insert into clients (provider, id, name) select 'DE-ABC', 'many-' || number, 'Many'
     from generate_series(1, $1::int - (select count(*)::int from clients where provider = 'DE-ABC')) number`,
    [maxClients - 2],
  );
  const made = await Promise.all(Array.from({ length: 4 }, () => create()));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  const refused = made.find(({ status }) => status === 409);
  expect(refused?.json.type).toEqual(problemType('too-many-clients'));
  await one.db.query(`delete from clients where provider = 'DE-ABC' and id = 'many-1'`);
  expect((await create()).status).toBe(201);
});
