import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signInUser } from '../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addClient, type Credentials } from './clients.ts';
import { addUser } from './users.ts';

/** Two processes on one database, behind the address of the first. */
let one: TestService;
let other: TestService;
/** A resource server with a secret, and one of another realm. */
let api: Credentials;
let stranger: Credentials;
let page: Credentials;
let made = 0;

const password = 'nine otters cross the river';
const redirectUri = 'https://app.example.com/signed-in';

beforeAll(async () => {
  one = await startTestService();
  other = await startTestService({ database: one.database, publicUrl: one.url });
  api = await addClient(one.db, 'DE-ABC', { name: 'API' });
  stranger = await addClient(one.db, 'FR-XYZ', { name: 'API' });
  page = await addClient(one.db, 'DE-ABC', {
    name: 'Page',
    isPublic: true,
    redirectUris: [redirectUri],
  });
});
afterAll(async () => {
  vi.useRealTimers();
  await other.stop();
  await one.stop();
});

type Form = Record<string, string>;

function post(path: string, form: Form, { service = one, realm = 'DE-ABC' } = {}) {
  return service.send({
    method: 'POST',
    path: `/realms/${realm}/protocol/openid-connect/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

const formOf = ({ id, secret }: Credentials): Form => ({
  client_id: id,
  ...(secret !== undefined && { client_secret: secret }),
});
const introspect = (token: string, by = api, where = {}) =>
  post('token/introspect', { token, ...formOf(by) }, where);
const revoke = (token: string, by = page) => post('revoke', { token, ...formOf(by) });

async function tokenOf({ id, secret = '' }: Credentials, realm = 'DE-ABC'): Promise<string> {
  const credentials = { clientId: id, clientSecret: secret };
  return (await requestToken(one.url, realm, credentials)).json.access_token;
}

async function signIn(scope = 'openid') {
  const username = `person${++made}`;
  await addUser(one.db, 'DE-ABC', username, password, 'editor', 'Ada');
  const [user] = await one.db.query<{ id: string }>('select id from users where username = $1', [
    username,
  ]);
  const options = { username, password, clientId: page.id, redirectUri, scope };
  return { ...(await signInUser(one, options)), username, userId: user?.id ?? '' };
}

function find(token: string, service: TestService) {
  return service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
}

describe('introspection', () => {
  test('tells a client with a secret who a token was issued to', async () => {
    const machine = await addClient(one.db, 'DE-ABC', { name: 'Machine', role: 'viewer' });
    const { status, json, headers } = await introspect(await tokenOf(machine));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json).toMatchObject({
      active: true,
      token_type: 'Bearer',
      client_id: machine.id,
      sub: machine.id,
      iss: `${one.url}/realms/DE-ABC`,
      realm_access: { roles: ['viewer'] },
    });
    expect(json).not.toHaveProperty('username');
    const { accessToken, username } = await signIn();
    expect((await introspect(accessToken)).json).toMatchObject({
      ...decodeJwt(accessToken),
      active: true,
      client_id: page.id,
      username,
    });
  });

  test('takes HTTP Basic, and answers JSON whatever is accepted', async () => {
    const { json } = await one.send({
      method: 'POST',
      path: '/realms/DE-ABC/protocol/openid-connect/token/introspect',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        authorization: `Basic ${Buffer.from(`${api.id}:${api.secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token: await tokenOf(api) }).toString(),
    });
    expect(json.active).toBe(true);
  });

  test('is refused without a secret, with a wrong one, and to clients of other realms', async () => {
    const token = await tokenOf(api);
    const wrong = { ...api, secret: 'x'.repeat(43) };
    for (const by of [page, wrong, { id: api.id }, { id: 'nobody', secret: 'x' }, stranger]) {
      const { status, json } = await introspect(token, by);
      expect([status, json.error, json.active], by.id).toEqual([401, 'invalid_client', undefined]);
    }
  });

  test('slows down who guesses secrets, with the failures of token requests', async () => {
    const guessed = await addClient(one.db, 'DE-ABC', { name: 'Guessed' });
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      const wrong = { id: guessed.id, secret: `wrong${attempt}` };
      statuses.push((await introspect('x', wrong)).status, (await revoke('x', wrong)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });

  test('calls inactive what is no access token of this realm', async () => {
    const { idToken, accessToken } = await signIn();
    const [header, payload, signature] = accessToken.split('.');
    const tokens = [
      'x',
      '..',
      idToken,
      await tokenOf(stranger, 'FR-XYZ'),
      `${header}.${payload}.${signature?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    ];
    for (const token of tokens) {
      const { status, json } = await introspect(token);
      expect([status, json], token.slice(0, 40)).toEqual([200, { active: false }]);
    }
  });

  test('of a refresh token is for the client that has it alone', async () => {
    const web = await addClient(one.db, 'DE-ABC', { name: 'Web', redirectUris: [redirectUri] });
    const { refreshToken } = await signIn();
    for (const by of [api, web])
      expect((await introspect(refreshToken, by)).json).toEqual({ active: false });
  });

  test.each([
    [
      'a user who was disabled',
      (user: string) => one.call('POST', `/administration/users/${user}/disable`),
    ],
    [
      'a user who was deleted',
      (user: string) => one.call('DELETE', `/administration/users/${user}`),
    ],
    [
      'a user who was disabled by hand',
      (user: string) => one.db.query('update users set disabled_at = now() where id = $1', [user]),
    ],
  ])('calls a token of %s inactive at once, on every process', async (_, end) => {
    const { accessToken, userId } = await signIn();
    for (const service of [one, other])
      expect((await introspect(accessToken, api, { service })).json.active).toBe(true);
    await end(userId);
    for (const service of [one, other])
      expect((await introspect(accessToken, api, { service })).json).toEqual({ active: false });
  });

  test.each([
    ['disabled', (id: string) => one.call('POST', `/administration/clients/${id}/disable`)],
    ['deleted', (id: string) => one.call('DELETE', `/administration/clients/${id}`)],
    [
      'given a new secret',
      (id: string) => one.call('POST', `/administration/clients/${id}/rotate`, {}),
    ],
  ])('calls a token of a client that was %s inactive at once', async (_, end) => {
    const machine = await addClient(one.db, 'DE-ABC', { name: 'Machine' });
    const token = await tokenOf(machine);
    for (const service of [one, other])
      expect((await introspect(token, api, { service })).json.active).toBe(true);
    await end(machine.id);
    for (const service of [one, other])
      expect((await introspect(token, api, { service })).json).toEqual({ active: false });
  });
});

describe('revocation', () => {
  test('of a refresh token ends it and its access tokens, and leaves others alone', async () => {
    const [mine, another] = [await signIn(), await signIn()];
    expect((await find(mine.accessToken, other)).status).toBe(200);
    const { status, text } = await revoke(mine.refreshToken);
    expect([status, text]).toEqual([200, '']);
    expect((await introspect(mine.accessToken)).json).toEqual({ active: false });
    expect((await mine.refresh()).json.error).toBe('invalid_grant');
    vi.setSystemTime(Date.now() + 1_000);
    for (const service of [one, other]) {
      expect((await find(mine.accessToken, service)).status).toBe(401);
      expect((await find(another.accessToken, service)).status).toBe(200);
    }
    expect((await another.refresh()).status).toBe(200);
    vi.useRealTimers();
  });

  test('of an access token of a person ends it within a second, and the refresh token with it', async () => {
    const { accessToken, refresh } = await signIn();
    expect((await revoke(accessToken)).status).toBe(200);
    expect((await introspect(accessToken)).json).toEqual({ active: false });
    expect((await refresh()).json.error).toBe('invalid_grant');
  });

  test('of one token of a client leaves its others alone', async () => {
    const machine = await addClient(one.db, 'DE-ABC', { name: 'Machine' });
    const first = await tokenOf(machine);
    await expect.poll(async () => (await tokenOf(machine)) !== first).toBe(true);
    const second = await tokenOf(machine);
    expect((await revoke(first, machine)).status).toBe(200);
    expect((await introspect(first)).json).toEqual({ active: false });
    expect((await introspect(second)).json.active).toBe(true);
  });

  test('of the token of another client changes nothing, and what is no token needs none', async () => {
    const { accessToken, refreshToken } = await signIn();
    for (const token of [accessToken, refreshToken, 'x', await tokenOf(stranger, 'FR-XYZ')])
      expect((await revoke(token, api)).status).toBe(200);
    expect((await introspect(accessToken)).json.active).toBe(true);
  });

  test('is refused when the tokens of too many would have to be remembered', async () => {
    await one.db.query(
      `insert into revoked_tokens (provider, token_id) select 'DE-ABC', 'filler' || n from generate_series(1, 2000) n`,
    );
    const { status, json, headers } = await revoke(await tokenOf(api), api);
    expect([status, json.error, headers['retry-after']]).toEqual([
      503,
      'temporarily_unavailable',
      '60',
    ]);
    await one.db.query(`delete from revoked_tokens where token_id like 'filler%'`);
  });

  test('of a sign-in is that of all tokens of its user, when too many would have to be remembered', async () => {
    const countRevoked = async () =>
      (await one.db.query(`select from revoked_tokens where provider = 'DE-ABC'`)).length;
    const [mine, another] = [await signIn(), await signIn()];
    await one.db.query(
      `insert into revoked_tokens (provider, token_id) select 'DE-ABC', 'filler' || n from generate_series(1, 2000) n`,
    );
    const before = await countRevoked();
    expect((await revoke(mine.refreshToken)).status).toBe(200);
    expect(await countRevoked()).toBe(before);
    expect((await introspect(mine.accessToken)).json).toEqual({ active: false });
    expect((await introspect(another.accessToken)).json.active).toBe(true);
    await one.db.query(`delete from revoked_tokens where token_id like 'filler%'`);
  });
});
