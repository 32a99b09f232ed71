import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Role, roles } from '../platform/http/principal.ts';
import { problemType } from '../testing/problem-type.ts';
import { signToken } from '../testing/sign-token.ts';
import { signInUser } from '../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import type { NewClient } from './client-settings.ts';
import { addClient } from './clients.ts';
import { revokeTokens } from './revocations.ts';
import { addUser } from './users.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function clientWith(options: Partial<NewClient>) {
  const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: 'Test', ...options });
  return { clientId: id, clientSecret: secret };
}

async function tokenOf(credentials: { clientId: string; clientSecret: string }) {
  const { status, json } = await requestToken(service.url, 'DE-ABC', credentials);
  return { status, token: json.access_token as string, body: json };
}

async function find(token: string) {
  return service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
}

describe('the role of a token', () => {
  test.each(roles)('%s is in realm_access.roles, as in Keycloak’s', async (role) => {
    const { token } = await tokenOf(await clientWith({ role }));
    expect(decodeJwt(token).realm_access).toEqual({ roles: [role] });
  });

  test('of a client is editor unless said otherwise', async () => {
    const { token } = await tokenOf(await clientWith({}));
    expect(decodeJwt(token).realm_access).toEqual({ roles: ['editor'] });
  });

  const claims = () => ({
    iss: `${service.url}/realms/DE-ABC`,
    exp: Math.floor(Date.now() / 1_000) + 60,
    sub: 'someone',
    azp: 'an-app',
  });

  test('is found among others that mean nothing here', async () => {
    const realm_access = { roles: ['offline_access', 'databox', 'uma_authorization'] };
    const token = await signToken(service.db, 'DE-ABC', { ...claims(), realm_access });
    expect((await find(token)).status).toBe(403);
  });

  test('adds up where it carries several', async () => {
    const realm_access = { roles: ['databox', 'viewer'] };
    const token = await signToken(service.db, 'DE-ABC', { ...claims(), realm_access });
    expect((await find(token)).status).toBe(200);
  });

  test.each<[Role | undefined, number]>([
    ['editor', 200],
    ['databox', 403],
    [undefined, 403],
  ])(
    'that carries none is the default one: %s is answered with %i',
    async (defaultRole, status) => {
      const other = await startTestService({ database: service.database, defaultRole });
      const token = await signToken(service.db, 'DE-ABC', {
        ...claims(),
        iss: `${other.url}/realms/DE-ABC`,
        realm_access: { roles: ['offline_access'] },
      });
      const path = '/api/fleets/v1/DE/ABC/vehicles';
      const headers = { authorization: `Bearer ${token}` };
      const answer = await other.send({ method: 'POST', path, headers });
      expect(answer.status).toBe(status);
      await other.stop();
    },
  );
});

test('a person and an application whose roles have nothing in common may do nothing', async () => {
  const redirectUri = 'https://app.example.com/signed-in';
  const { id: clientId } = await addClient(service.db, 'DE-ABC', {
    name: 'Sender',
    role: 'databox',
    isPublic: true,
    redirectUris: [redirectUri],
  });
  const password = 'nine otters cross the river';
  await addUser(service.db, 'DE-ABC', 'reader', password, 'viewer');
  const options = { username: 'reader', password, clientId, redirectUri };
  const { accessToken } = await signInUser(service, options);
  expect(decodeJwt(accessToken).realm_access).toEqual({ roles: [] });
  expect((await find(accessToken)).status).toBe(403);
});

describe('a client that is bound to networks', () => {
  test('gets a token and is served from inside of them', async () => {
    const networks = ['192.0.2.0/24', '127.0.0.0/8', '2001:db8::/32'];
    const { token } = await tokenOf(await clientWith({ networks }));
    expect((await find(token)).status).toBe(200);
  });

  test('gets no token from outside, and one that it has is refused', async () => {
    const credentials = await clientWith({ networks: ['192.0.2.0/24'] });
    const { status, body } = await tokenOf(credentials);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(body.access_token).toBeUndefined();
    const token = await signToken(service.db, 'DE-ABC', {
      iss: `${service.url}/realms/DE-ABC`,
      exp: Math.floor(Date.now() / 1_000) + 60,
      sub: credentials.clientId,
      networks: ['192.0.2.0/24'],
    });
    const answer = await find(token);
    expect([answer.status, answer.json.type]).toEqual([403, problemType('foreign-network')]);
    const userinfo = await service.send({
      path: '/realms/DE-ABC/protocol/openid-connect/userinfo',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(userinfo.status).toBe(403);
  });

  const tokenWith = (networks: unknown) =>
    signToken(service.db, 'DE-ABC', {
      iss: `${service.url}/realms/DE-ABC`,
      exp: Math.floor(Date.now() / 1_000) + 60,
      sub: 'a-client',
      networks,
    });

  test.each([[['everywhere', 7, '10.0.0.0/99']], ['everywhere'], [{ everywhere: true }]])(
    'is refused with a claim that names no network: %j',
    async (networks) => {
      expect((await find(await tokenWith(networks))).status).toBe(403);
    },
  );

  test('may have one as a text', async () => {
    expect((await find(await tokenWith('192.0.2.0/24'))).status).toBe(403);
    expect((await find(await tokenWith('127.0.0.0/8'))).status).toBe(200);
  });
});

describe('a client with an expiry date', () => {
  test('gets tokens that do not live longer, and none after it', async () => {
    const credentials = await clientWith({ expiresAt: new Date(Date.now() + 30_000) });
    const { token, body } = await tokenOf(credentials);
    expect(body.expires_in).toBeLessThanOrEqual(30);
    const { exp = 0, iat = 0 } = decodeJwt(token);
    expect(exp - iat).toBeLessThanOrEqual(30);
    await service.db.query(
      `update clients set expires_at = now() - interval '1 s' where provider = 'DE-ABC' and id = $1`,
      [credentials.clientId],
    );
    expect((await tokenOf(credentials)).status).toBe(401);
  });
});

test('revoked tokens are refused within a second; new ones are accepted at once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const credentials = await clientWith({});
  const { token } = await tokenOf(credentials);
  expect((await find(token)).status).toBe(200);
  await revokeTokens(service.db, 'DE-ABC', credentials.clientId);
  const { token: next } = await tokenOf(credentials);
  vi.setSystemTime(Date.now() + 1_000);
  expect((await find(token)).status).toBe(401);
  expect((await find(next)).status).toBe(200);
  vi.useRealTimers();
});
