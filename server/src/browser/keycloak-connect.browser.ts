import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClient, type Credentials } from '../auth/clients.ts';
import { addUser } from '../auth/users.ts';
import { send } from '../testing/http-client.ts';
import { signInUser } from '../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';

/** An API of somebody else that keycloak-connect protects with our tokens. */

type Grant = { access_token: { token: string; content: Record<string, unknown> } };
type Keycloak = {
  middleware(): unknown[];
  protect(role?: string): unknown;
  grantManager: {
    obtainFromClientCredentials(): Promise<Grant>;
    validateAccessToken(token: string): Promise<string | false>;
    userInfo(token: string): Promise<Record<string, unknown>>;
  };
};
type App = {
  use(...handlers: unknown[]): void;
  get(path: string, ...handlers: unknown[]): void;
  listen(port: number, host: string): Server;
};

const require = createRequire(
  new URL('../../../test-packages/keycloak-connect/package.json', import.meta.url),
);

let service: TestService;
let api: Server;
let keycloak: Keycloak;
let reports: Credentials;
let accessToken: string;

const redirectUri = 'https://app.example.com/signed-in';
const user = { username: 'ada', password: 'nine otters cross the river' };

beforeAll(async () => {
  service = await startTestService();
  reports = await addClient(service.db, 'DE-ABC', { id: 'reports', name: 'Reports' });
  const page = await addClient(service.db, 'DE-ABC', {
    name: 'Page',
    isPublic: true,
    redirectUris: [redirectUri],
    audiences: ['reports'],
  });
  await addUser(service.db, 'DE-ABC', user.username, user.password, 'viewer');
  ({ accessToken } = await signInUser(service, { ...user, clientId: page.id, redirectUri }));

  const KeycloakConnect = require('keycloak-connect');
  const express = require('express');
  keycloak = new KeycloakConnect(
    {},
    {
      realm: 'DE-ABC',
      'auth-server-url': service.url,
      resource: reports.id,
      credentials: { secret: reports.secret },
      'bearer-only': true,
      'verify-token-audience': true,
    },
  ) as Keycloak;
  const app: App = express();
  app.use(...keycloak.middleware());
  const answer = (_request: unknown, response: { json(body: object): void }) =>
    response.json({ ok: true });
  app.get('/any', keycloak.protect(), answer);
  app.get('/viewer', keycloak.protect('realm:viewer'), answer);
  app.get('/admin', keycloak.protect('realm:admin'), answer);
  api = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => api.once('listening', resolve));
});
afterAll(async () => {
  api?.close();
  await service?.stop();
});

async function statusOf(path: string, token?: string): Promise<number> {
  const { port } = api.address() as AddressInfo;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await send(`http://127.0.0.1:${port}`, { path, headers })).status;
}

describe('an API behind keycloak-connect', () => {
  test('lets in a token that names it as its audience, to what the role permits', async () => {
    expect(await statusOf('/any', accessToken)).toBe(200);
    expect(await statusOf('/viewer', accessToken)).toBe(200);
    expect(await statusOf('/admin', accessToken)).toBe(403);
  });

  test('refuses what is for others, altered, or missing', async () => {
    const altered = accessToken.replace(/.{8}$/, 'AAAAAAAA');
    for (const token of [await service.token(), altered, 'x', undefined])
      expect(await statusOf('/any', token)).toBe(403);
  });

  test('gets a token of its own, asks about tokens, and who has one', async () => {
    const { access_token } = await keycloak.grantManager.obtainFromClientCredentials();
    expect(access_token.content).toMatchObject({ azp: 'reports', typ: 'Bearer' });
    expect(await keycloak.grantManager.validateAccessToken(accessToken)).toBe(accessToken);
    expect(await keycloak.grantManager.userInfo(accessToken)).toMatchObject({
      preferred_username: 'ada',
    });
  });

  test('learns at once that a user was disabled', async () => {
    const username = 'ben';
    await addUser(service.db, 'DE-ABC', username, user.password);
    const signedIn = await signInUser(service, { username, password: user.password });
    const { validateAccessToken } = keycloak.grantManager;
    const check = () => validateAccessToken.call(keycloak.grantManager, signedIn.accessToken);
    expect(await check()).toBe(signedIn.accessToken);
    const { json } = await service.call('POST', '/administration/users/search', {
      filters: [{ field: 'username', value: username }],
    });
    await service.call('POST', `/administration/users/${json.items[0].id}/disable`);
    expect(await check()).toBe(false);
  });
});

test('the realm of a client that is not ours gives it no token', async () => {
  const credentials = { clientId: 'reports', clientSecret: reports.secret ?? '' };
  expect((await requestToken(service.url, 'FR-XYZ', credentials)).status).toBe(401);
});
