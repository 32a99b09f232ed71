import { createPublicKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passRefreshGrace } from '../testing/pass-refresh-grace.ts';
import { signInUser } from '../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { addUser } from './users.ts';

let service: TestService;
let clientId: string;
let userId: string;

const user = { username: 'ada', password: 'nine otters cross the river' };
const redirectUri = 'https://app.example.com/signed-in';
const realmPath = '/realms/DE-ABC';

beforeAll(async () => {
  service = await startTestService();
  ({ id: clientId } = await addClient(service.db, 'DE-ABC', {
    name: 'Page',
    isPublic: true,
    redirectUris: [redirectUri],
    audiences: ['reports'],
  }));
  await addUser(service.db, 'DE-ABC', user.username, user.password, 'editor', 'Ada Lovelace');
  const [row] = await service.db.query<{ id: string }>(
    `update users set email = 'ada@example.com' where username = 'ada' returning id`,
  );
  userId = row?.id ?? '';
});
afterAll(() => service.stop());

const signIn = (scope?: string) => signInUser(service, { ...user, clientId, redirectUri, scope });

async function sessionOf(username: string): Promise<string> {
  const { json } = await service.call('POST', '/administration/sessions/search', {
    filters: [{ field: 'username', value: username }],
    sorting: [{ field: 'signedInAt', direction: 'desc' }],
  });
  return json.items[0].id;
}

function logout(parameters: Record<string, string>) {
  return `${service.url}${realmPath}/protocol/openid-connect/logout?${new URLSearchParams(parameters)}`;
}

async function countSignOuts(): Promise<number> {
  const [row] = await service.db.query<{ count: number }>(
    `select count(*)::int as count from audit_events
     where provider = 'DE-ABC' and action = 'signed-out' and record_id = $1`,
    [userId],
  );
  return row?.count ?? 0;
}

describe('the tokens of a person', () => {
  test('name the person, the session, the roles and the audiences as those of a Keycloak do', async () => {
    const { accessToken, idToken, tokens, browser } = await signIn('openid');
    const issuer = service.url + realmPath;
    const session = await sessionOf('ada');
    const person = {
      sub: userId,
      preferred_username: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      email_verified: false,
      sid: session,
      auth_time: expect.any(Number),
      azp: clientId,
    };
    expect(decodeJwt(accessToken)).toMatchObject({
      ...person,
      typ: 'Bearer',
      aud: [issuer, clientId, 'reports'],
      realm_access: { roles: ['editor'] },
    });
    expect(decodeJwt(idToken)).toMatchObject({ ...person, typ: 'ID', aud: clientId });
    expect(tokens).toMatchObject({ session_state: session, 'not-before-policy': 0 });
    expect(browser.cookies()).toContainEqual({
      name: 'session_state',
      value: session,
      path: realmPath,
    });
    const { json } = await service.send({
      path: `${realmPath}/protocol/openid-connect/userinfo`,
      headers: { authorization: `bearer ${accessToken}` },
    });
    expect(json).toEqual({
      sub: userId,
      preferred_username: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      email_verified: false,
    });
  });

  test('keep time of sign-in and session when they are refreshed', async () => {
    const { accessToken, refresh } = await signIn();
    const { json } = await refresh();
    const { auth_time, sid } = decodeJwt(accessToken);
    expect(decodeJwt(json.access_token)).toMatchObject({ auth_time, sid, name: 'Ada Lovelace' });
    expect(decodeJwt(json.id_token)).toMatchObject({ auth_time, sid });
  });

  test('include a refresh token that can be decoded, and is good for nothing when altered', async () => {
    const { refreshToken } = await signIn();
    expect(decodeJwt(refreshToken)).toMatchObject({ typ: 'Refresh', azp: clientId, sub: userId });
    expect(decodeProtectedHeader(refreshToken).alg).toBe('HS256');
    const [header, payload = '', signature] = refreshToken.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of [`${header}.${forged}.${signature}`, `${unsigned}.${payload}.`]) {
      const { json } = await service.send({
        method: 'POST',
        path: `${realmPath}/protocol/openid-connect/token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: token,
        }).toString(),
      });
      expect(json.error).toBe('invalid_grant');
    }
  });
});

test('a realm answers the public key of its tokens', async () => {
  const { json } = await service.send({ path: realmPath });
  expect(json).toEqual({
    realm: 'DE-ABC',
    public_key: expect.stringMatching(/^MII/),
    'token-service': `${service.url}${realmPath}/protocol/openid-connect`,
    'account-service': `${service.url}${realmPath}/account`,
    'tokens-not-before': 0,
  });
  const pem = createPublicKey({
    key: Buffer.from(json.public_key, 'base64'),
    format: 'der',
    type: 'spki',
  }).export({ type: 'spki', format: 'pem' });
  const key = await importSPKI(String(pem), 'RS256');
  expect((await jwtVerify(await service.token(), key)).payload.azp).toBe('demo-client');
  expect((await service.send({ path: '/realms/DE-ZZZ' })).status).toBe(404);
});

describe('an ID token as a hint', () => {
  test('signs out without a question, and ends refresh and access tokens', async () => {
    const { browser, idToken, accessToken, refresh, isSignedIn } = await signIn();
    const { url } = await browser.visit(
      logout({ id_token_hint: idToken, post_logout_redirect_uri: redirectUri, state: 'bye' }),
    );
    expect(url).toBe(`${redirectUri}?state=bye`);
    expect(browser.cookies().map(({ name }) => name)).not.toContain('session_state');
    expect((await refresh()).json.error).toBe('invalid_grant');
    expect(await isSignedIn()).toBe(false);
    const [revoked] = await service.db.query(
      `select from revoked_tokens where provider = 'DE-ABC' and token_id = $1`,
      [decodeJwt(accessToken).grant_id],
    );
    expect(revoked).toBeDefined();
  });

  test('signs out a page that sends no cookie', async () => {
    const { idToken, isSignedIn } = await signIn();
    const path = logout({ id_token_hint: idToken }).slice(service.url.length);
    const { status, headers } = await service.send({ path });
    expect([status, headers.location]).toEqual([
      303,
      `${service.url}${realmPath}/protocol/openid-connect/logout/success`,
    ]);
    expect(await isSignedIn()).toBe(false);
  });

  test('of a session that has ended is answered the same, and records no other sign-out', async () => {
    const { idToken, browser } = await signIn();
    const path = logout({ id_token_hint: idToken }).slice(service.url.length);
    const before = await countSignOuts();
    for (let time = 0; time < 3; time++) {
      expect((await service.send({ path })).status).toBe(303);
      expect(await countSignOuts()).toBe(before + 1);
    }
    await browser.visit(logout({ id_token_hint: idToken }));
    expect(await countSignOuts()).toBe(before + 1);
  });

  test('of another session, or a forged one, signs nobody out', async () => {
    const [before, now] = [await signIn(), await signIn()];
    const asked = await now.browser.visit(logout({ id_token_hint: before.idToken }));
    expect(asked.text).toContain('Sign out?');
    const forged = `${now.idToken.slice(0, -8)}AAAAAAAA`;
    expect((await now.browser.visit(logout({ id_token_hint: forged }))).status).toBe(400);
    expect(await now.isSignedIn()).toBe(true);
    expect(await before.isSignedIn()).toBe(true);
  });
});

describe('offline access', () => {
  test('outlives the sign-out, other refresh tokens do not', async () => {
    for (const [scope, survives] of [
      ['openid', false],
      ['openid offline_access', true],
    ] as const) {
      const { browser, idToken, refresh, tokens, refreshToken } = await signIn(scope);
      expect(String(tokens.scope).includes('offline_access')).toBe(survives);
      expect(decodeJwt(refreshToken).typ).toBe(survives ? 'Offline' : 'Refresh');
      expect(tokens.refresh_expires_in).toBe(survives ? 30 * 86_400 : 86_400);
      await browser.visit(logout({ id_token_hint: idToken }));
      await passRefreshGrace(service.db);
      const { status, json } = await refresh();
      expect(status).toBe(survives ? 200 : 400);
      if (survives) expect(json.refresh_expires_in).toBe(30 * 86_400);
    }
  });

  test('also outlives a sign-out that was asked for', async () => {
    const { browser, refresh } = await signIn('openid offline_access');
    await browser.submit(await browser.visit(logout({})), { logout: 'yes' });
    expect((await refresh()).status).toBe(200);
  });

  test.each([
    ['disabled', `/administration/users/{id}/disable`],
    ['reset', `/administration/users/{id}/reset`],
  ])('ends with a user who is %s, also when the user is enabled again', async (state, path) => {
    const username = `offline.${state}`;
    await addUser(service.db, 'DE-ABC', username, user.password);
    const scope = 'openid offline_access';
    const signedIn = await signInUser(service, { ...user, username, clientId, redirectUri, scope });
    const id = decodeJwt(signedIn.accessToken).sub ?? '';
    await signedIn.browser.visit(logout({ id_token_hint: signedIn.idToken }));
    await service.call('POST', path.replace('{id}', id));
    if (state === 'disabled') await service.call('POST', `/administration/users/${id}/enable`);
    expect((await signedIn.refresh()).json.error).toBe('invalid_grant');
  });

  test('ends with a client that is disabled, also when the client is enabled again', async () => {
    const { id } = await addClient(service.db, 'DE-ABC', {
      name: 'Another page',
      isPublic: true,
      redirectUris: [redirectUri],
    });
    const scope = 'openid offline_access';
    const { refresh } = await signInUser(service, { ...user, clientId: id, redirectUri, scope });
    await service.call('POST', `/administration/clients/${id}/disable`);
    await service.call('POST', `/administration/clients/${id}/enable`);
    expect((await refresh()).json.error).toBe('invalid_grant');
  });

  test('ends with its session, also after somebody was asked whether to sign out', async () => {
    const { browser, refresh, isSignedIn, accessToken } = await signIn('openid offline_access');
    const before = await countSignOuts();
    await browser.submit(await browser.visit(logout({ client_id: clientId })), {});
    expect(await countSignOuts()).toBe(before);
    expect(await isSignedIn()).toBe(true);
    await service.call('DELETE', `/administration/sessions/${decodeJwt(accessToken).sid}`);
    expect((await refresh()).json.error).toBe('invalid_grant');
  });

  test('is nothing for a client that signs nobody in', async () => {
    const { json } = await service.send({
      method: 'POST',
      path: `${realmPath}/protocol/openid-connect/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'demo-client',
        client_secret: 'demo-secret',
        scope: 'openid offline_access',
      }).toString(),
    });
    expect([json.scope, json.refresh_token, json.refresh_expires_in]).toEqual([
      'openid',
      undefined,
      0,
    ]);
  });
});
