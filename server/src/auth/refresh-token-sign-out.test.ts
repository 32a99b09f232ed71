import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passRefreshGrace } from '../testing/pass-refresh-grace.ts';
import { type SignedInUser, signInUser } from '../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addClient, type Credentials } from './clients.ts';
import { addUser } from './users.ts';

let service: TestService;
/** One with a secret and one without, which people sign in to; another, and one of another realm. */
let web: Credentials;
let page: Credentials;
let other: Credentials;
let stranger: Credentials;
let made = 0;

const password = 'nine otters cross the river';
const redirectUri = 'https://app.example.com/signed-in';

beforeAll(async () => {
  service = await startTestService();
  const add = (name: string, options = {}, realm = 'DE-ABC') =>
    addClient(service.db, realm, { name, redirectUris: [redirectUri], ...options });
  web = await add('Web');
  page = await add('Page', { isPublic: true });
  other = await add('Other');
  stranger = await add('Stranger', {}, 'FR-XYZ');
});
afterAll(() => service.stop());

type Form = Record<string, string>;

function post(path: string, form: Form | string, headers: Form = {}) {
  return service.send({
    method: 'POST',
    path: `/realms/DE-ABC/protocol/openid-connect/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

const formOf = ({ id, secret }: Credentials): Form => ({
  client_id: id,
  ...(secret !== undefined && { client_secret: secret }),
});
const signOut = (token: string, by: Credentials, more: Form = {}) =>
  post('logout', { refresh_token: token, ...formOf(by), ...more });

async function signIn(client = web, scope = 'openid'): Promise<SignedInUser> {
  const username = `person${++made}`;
  await addUser(service.db, 'DE-ABC', username, password, 'editor', 'Ada');
  const { id: clientId, secret: clientSecret } = client;
  return signInUser(service, { username, password, clientId, clientSecret, redirectUri, scope });
}

const isActive = async (token: string) =>
  (await post('token/introspect', { token, ...formOf(other) })).json.active;

const audited = async () =>
  service.db.query<{ record_id: string }>(
    `select record_id from audit_events where provider = 'DE-ABC' and action = 'signed-out'`,
  );

describe('a refresh token signs out', () => {
  test.each([
    ['by a client with a secret', () => web],
    ['by a public client', () => page],
  ])('%s: the session and all that was issued in it end', async (_, client) => {
    const person = await signIn(client());
    const { status, text } = await signOut(person.refreshToken, client());
    expect([status, text]).toEqual([204, '']);
    expect(await isActive(person.accessToken)).toBe(false);
    expect((await person.refresh()).json.error).toBe('invalid_grant');
    expect(await person.isSignedIn()).toBe(false);
  });

  test('with HTTP Basic, and records who has signed out', async () => {
    const person = await signIn();
    const before = await audited();
    const authorization = `Basic ${Buffer.from(`${web.id}:${web.secret}`).toString('base64')}`;
    const form = { refresh_token: person.refreshToken };
    expect((await post('logout', form, { authorization })).status).toBe(204);
    expect((await audited()).length).toBe(before.length + 1);
  });

  test('again, and with one that was exchanged: there is nothing left to end', async () => {
    const person = await signIn();
    await passRefreshGrace(service.db);
    expect((await person.refresh()).json.refresh_token).not.toBe(person.refreshToken);
    for (let time = 0; time < 2; time++)
      expect((await signOut(person.refreshToken, web)).status).toBe(204);
    expect((await person.refresh()).json.error).toBe('invalid_grant');
    expect((await audited()).filter(({ record_id }) => record_id === subjectOf(person))).toEqual([
      { record_id: subjectOf(person) },
    ]);
  });

  test('with offline access, which ends as well', async () => {
    const person = await signIn(web, 'openid offline_access');
    expect((await signOut(person.refreshToken, web)).status).toBe(204);
    expect((await person.refresh()).json.error).toBe('invalid_grant');
    expect(await person.isSignedIn()).toBe(false);
  });

  test('nobody else', async () => {
    const [person, another] = [await signIn(), await signIn()];
    expect((await signOut(person.refreshToken, web)).status).toBe(204);
    expect(await isActive(another.accessToken)).toBe(true);
    expect(await another.isSignedIn()).toBe(true);
  });

  test('more often than strangers may begin a sign-out in the browser', async () => {
    const statuses = [];
    for (let time = 0; time < 301; time++) statuses.push((await signOut('x', web)).status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect((await post('logout', {})).status).toBe(303);
  });
});

describe('nothing is ended', () => {
  let person: SignedInUser;
  beforeAll(async () => {
    person = await signIn();
  });
  const expectSignedIn = async () => {
    expect(await isActive(person.accessToken)).toBe(true);
    expect(await person.isSignedIn()).toBe(true);
  };

  test('by another client, whose token it is not', async () => {
    for (const by of [other, page]) {
      const { status, json } = await signOut(person.refreshToken, by);
      expect([status, json.error], by.id).toEqual([400, 'invalid_grant']);
    }
    await expectSignedIn();
  });

  test('by a client that does not prove who it is', async () => {
    const wrong = { id: web.id, secret: 'x'.repeat(43) };
    for (const by of [wrong, { id: web.id }, { id: 'nobody' }, stranger]) {
      const { status, json } = await signOut(person.refreshToken, by);
      expect([status, json.error], by.id).toEqual([401, 'invalid_client']);
    }
    await expectSignedIn();
  });

  test('from a network that the client is not bound to', async () => {
    const bound = await addClient(service.db, 'DE-ABC', {
      name: 'Bound',
      redirectUris: [redirectUri],
      networks: ['127.0.0.0/8'],
    });
    const held = await signIn(bound);
    await service.db.query(`update clients set networks = '{192.0.2.0/24}' where id = $1`, [
      bound.id,
    ]);
    const { status, json } = await signOut(held.refreshToken, bound);
    expect([status, json.error]).toEqual([401, 'invalid_client']);
    expect(await isActive(held.accessToken)).toBe(true);
  });

  test('by what is no refresh token of the realm', async () => {
    const { secret: clientSecret = '' } = stranger;
    const foreign = await requestToken(service.url, 'FR-XYZ', {
      clientId: stranger.id,
      clientSecret,
    });
    const [header, payload] = person.refreshToken.split('.');
    const tokens = ['x', '', `${header}.${payload}.x`, person.accessToken, person.idToken];
    for (const token of [...tokens, foreign.json.access_token]) {
      const { status, json } = await signOut(token, web);
      const error = token === '' ? 'invalid_request' : 'invalid_grant';
      expect([status, json.error], token.slice(0, 20)).toEqual([400, error]);
    }
    await expectSignedIn();
  });

  test('by two tokens, or by one in the address', async () => {
    const query = new URLSearchParams({ refresh_token: person.refreshToken, ...formOf(web) });
    const twice = await post('logout', `${query}&refresh_token=x`);
    expect([twice.status, twice.json.error]).toEqual([400, 'invalid_request']);
    expect((await post(`logout?${query}`, {})).status).toBe(303);
    await expectSignedIn();
  });
});

const subjectOf = ({ accessToken }: SignedInUser): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sub;
