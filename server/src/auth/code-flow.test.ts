import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ageRecords } from '../testing/age-records.ts';
import { type Browser, openBrowser, type Page } from '../testing/browser.ts';
import { testUser } from '../testing/global-setup.ts';
import { lockWaits } from '../testing/lock-waits.ts';
import { passRefreshGrace } from '../testing/pass-refresh-grace.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { addUser } from './users.ts';

let service: TestService;
/** A web application with a secret, and a page or an app without one. */
let web: oidc.Configuration;
let app: oidc.Configuration;
/** Password hashing is slow on purpose, so most tests start signed in. */
let signedIn: Browser;

const redirectUri = 'https://app.example.com/signed-in';
const postLogoutUri = 'https://app.example.com/goodbye';

beforeAll(async () => {
  service = await startTestService();
  web = await configure({ isPublic: false });
  app = await configure({ isPublic: true });
  signedIn = openBrowser(service.url);
  await signIn(await start(web), signedIn);
});
afterAll(() => service.stop());

async function configure({ isPublic }: { isPublic: boolean }): Promise<oidc.Configuration> {
  const { id, secret } = await addClient(service.db, 'DE-ABC', {
    name: 'An application',
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [postLogoutUri],
    isPublic,
  });
  return oidc.discovery(
    new URL(`${service.url}/realms/DE-ABC`),
    id,
    {},
    secret === undefined ? oidc.None() : oidc.ClientSecretPost(secret),
    { execute: [oidc.allowInsecureRequests] },
  );
}

type Started = { url: string; checks: oidc.AuthorizationCodeGrantChecks };

async function start(
  config: oidc.Configuration,
  changed: Record<string, string | undefined> = {},
): Promise<Started> {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...changed,
  };
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined;
  });
  const url = oidc.buildAuthorizationUrl(config, new URLSearchParams(sent));
  return { url: url.href, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

/** By the login page, unless the browser is signed in. */
async function signIn({ url }: Started, browser: Browser, user = testUser): Promise<URL> {
  const page = await browser.visit(url);
  const done = page.url.startsWith(service.url) ? await browser.submit(page, user) : page;
  expect(done.url, done.text).toMatch(/^https:/);
  return new URL(done.url);
}

/** The whole flow in a browser. */
async function tokensOf(config: oidc.Configuration, browser = signedIn, user = testUser) {
  const started = await start(config);
  const returned = await signIn(started, browser, user);
  return oidc.authorizationCodeGrant(config, returned, started.checks);
}

/** The error that an application gets at its redirect_uri. */
function errorAt({ url }: Page): string | null {
  expect(url.split('?')[0]).toBe(redirectUri);
  return new URL(url).searchParams.get('error');
}

function findVehicles(token: string) {
  return service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
}

describe('a user signs in', () => {
  test.each([
    ['to an application with a secret', () => web],
    ['to a page or an app without one', () => app],
  ])('%s, and it gets tokens that say who it is', async (_, config) => {
    const tokens = await tokensOf(config(), openBrowser(service.url));
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 300,
      refresh_expires_in: 86_400,
      scope: 'openid profile',
    });
    const claims = tokens.claims();
    const { client_id } = config().clientMetadata();
    expect(claims).toMatchObject({
      iss: `${service.url}/realms/DE-ABC`,
      aud: client_id,
      exp: (claims?.iat ?? 0) + 300,
      preferred_username: 'demo',
    });
    const user = await oidc.fetchUserInfo(config(), tokens.access_token, claims?.sub ?? '');
    expect(user).toEqual({ sub: claims?.sub, preferred_username: 'demo' });
  });

  test('the access token opens the interface; the ID token and the refresh token do not', async () => {
    const tokens = await tokensOf(web);
    expect((await findVehicles(tokens.access_token)).status).toBe(200);
    for (const token of [tokens.id_token, tokens.refresh_token]) {
      expect((await findVehicles(token ?? '')).status).toBe(401);
    }
  });

  test('once, and other applications find them signed in', async () => {
    const started = await start(app);
    const { url } = await signedIn.visit(started.url);
    const tokens = await oidc.authorizationCodeGrant(app, new URL(url), started.checks);
    expect(tokens.claims()?.aud).toBe(app.clientMetadata().client_id);
  });

  test('once, and an application that asks for codes in two tabs at once redeems both', async () => {
    const [application, browser] = [await configure({ isPublic: true }), openBrowser(service.url)];
    const { sid } = decodeJwt((await tokensOf(web, browser)).access_token);
    const tabs = await Promise.all([start(application), start(application)]);
    const visits = await service.db.transaction(async (tx) => {
      await tx.query(
        `select 1 from oidc_records where provider = 'DE-ABC' and kind = 'Session' and uid = $1 for update`,
        [sid],
      );
      const pages = tabs.map(({ url }) => browser.visit(url));
      await expect.poll(() => lockWaits(tx)).toBe(2);
      return { pages };
    });
    for (const [tab, visit] of visits.pages.entries()) {
      const { checks } = tabs[tab] as Started;
      const granted = oidc.authorizationCodeGrant(application, new URL((await visit).url), checks);
      await expect(granted).resolves.toMatchObject({ scope: 'openid profile' });
    }
  });

  test('in two tabs at once, each of which comes back with what it was opened for', async () => {
    const browser = openBrowser(service.url);
    const [first, second] = [await start(web), await start(app)];
    const tabs = [await browser.visit(first.url), await browser.visit(second.url)];
    const done = await Promise.all(tabs.map((tab) => browser.submit(tab, testUser)));
    expect(done.map(({ url }) => new URL(url).searchParams.get('state'))).toEqual([
      first.checks.expectedState,
      second.checks.expectedState,
    ]);
  });

  test('again when the application asks for it, and is never asked for consent', async () => {
    const again = await signedIn.visit((await start(web, { prompt: 'login' })).url);
    expect(again.status).toBe(200);
    expect(again.text).toContain('<h1>Sign in</h1>');
    const consented = await signedIn.visit((await start(web, { prompt: 'consent' })).url);
    expect(new URL(consented.url).searchParams.get('code')).not.toBeNull();
  });

  test('as another person in the browser of one who is signed in', async () => {
    const other = { username: 'relief', password: 'correct horse battery' };
    await addUser(service.db, 'DE-ABC', other.username, other.password);
    const browser = openBrowser(service.url);
    const before = await tokensOf(web, browser);
    const started = await start(web, { prompt: 'login' });
    const confirm = await browser.submit(await browser.visit(started.url), other);
    // A page that confirms by itself that the session of before ends.
    const done = await browser.submit(confirm, { logout: 'yes' });
    expect(done.url, done.text).toMatch(/^https:/);
    const granted = await oidc.authorizationCodeGrant(web, new URL(done.url), started.checks);
    expect(granted.claims()?.preferred_username).toBe(other.username);
    await expect(oidc.refreshTokenGrant(web, before.refresh_token ?? '')).rejects.toThrow();
  });

  test('again thirty days after the last time, however often they came back', async () => {
    const browser = openBrowser(service.url);
    const user = { username: 'often', password: 'correct horse battery' };
    await addUser(service.db, 'DE-ABC', user.username, user.password);
    await signIn(await start(web), browser, user);
    const [session] = await service.db.query<{ id: string }>(
      `select r.id from oidc_records r join users u on u.provider = r.provider and u.id::text = r.payload ->> 'accountId'
       where r.kind = 'Session' and u.username = $1`,
      [user.username],
    );
    const makeOlder = (days: number) =>
      ageRecords(service.db, {
        kind: 'Session',
        seconds: days * 86_400,
        properties: ['loginTs'],
        ids: [String(session?.id)],
      });
    await makeOlder(29);
    expect((await browser.visit((await start(web)).url)).url).toMatch(/^https:/);
    await makeOlder(2);
    const page = await browser.visit((await start(web)).url);
    expect(page.url).toMatch(/\/login\//);
    expect((await browser.submit(page, user)).url).toMatch(/^https:/);
    expect((await browser.visit((await start(web)).url)).url).toMatch(/^https:/);
  });

  test('not at all when the application asks for silence: it is told so', async () => {
    const page = await openBrowser(service.url).visit((await start(web, { prompt: 'none' })).url);
    expect(errorAt(page)).toBe('login_required');
  });

  test('with a wrong password: 401, the error is shown and the user name kept', async () => {
    const browser = openBrowser(service.url);
    const login = await browser.visit((await start(web)).url);
    const wrong = await browser.submit(login, { username: 'demo', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('The user name or the password is wrong.');
    expect(wrong.text).toContain('value="demo"');
    expect(wrong.text).not.toContain('value="wrong"');
    const unknown = await browser.submit(login, { username: 'nobody', password: 'wrong' });
    expect(unknown.status).toBe(401);
    expect(unknown.text.replace('"nobody"', '"demo"')).toBe(wrong.text);
    const right = await browser.submit(wrong, testUser);
    expect(new URL(right.url).searchParams.get('code')).not.toBeNull();
  });

  test('with what no user name can be: 401, and never a fault of ours', async () => {
    const browser = openBrowser(service.url);
    const login = await browser.visit((await start(web)).url);
    for (const username of ['\0', 'demo\0', '__proto__', 'é'.repeat(2_000)]) {
      const { status } = await browser.submit(login, { username, password: '\0' });
      expect(status).toBe(401);
    }
    expect((await browser.submit(login, {})).status).toBe(401);
    const tooMuch = await browser.submit(login, { username: 'x'.repeat(20_000) });
    expect(tooMuch.status).toBe(413);
  });

  test('on a login page that was not opened by an application, or not by this browser: 400', async () => {
    const login = await openBrowser(service.url).visit((await start(web)).url);
    for (const url of [`${service.url}/realms/DE-ABC/login/nothing`, login.url]) {
      const { status, text } = await openBrowser(service.url).visit(url);
      expect(status).toBe(400);
      expect(text).toContain('expired');
    }
    const elsewhere = await openBrowser(service.url).visit(`${service.url}/realms/DE-ZZZ/login/x`);
    expect(elsewhere.status).toBe(404);
  });
});

describe('an authorization request', () => {
  test.each([
    ['a redirect_uri with another path', `${redirectUri}/more`],
    ['a redirect_uri with a query', `${redirectUri}?x=1`],
    ['a redirect_uri of another host', 'https://app.example.com.evil.example/signed-in'],
    ['a redirect_uri by http', 'http://app.example.com/signed-in'],
    ['a redirect_uri in capitals', 'https://APP.example.com/signed-in'],
  ])('with %s is refused here, and sent nowhere', async (_, redirect_uri) => {
    for (const config of [web, app]) {
      const page = await openBrowser(service.url).visit(
        (await start(config, { redirect_uri })).url,
      );
      expect(page.status).toBe(400);
      expect(page.headers.location).toBeUndefined();
      expect(page.text).toContain('That did not work');
    }
  });

  test('that is continued though none was begun is 400, whatever it names', async () => {
    const path = '/realms/DE-ABC/protocol/openid-connect/auth/none?client_id=motorpool-console';
    const { status, headers } = await service.send({ path });
    expect(status).toBe(400);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('of the console for offline access is refused: its sign-out ends everything', async () => {
    const parameters = new URLSearchParams({
      client_id: 'motorpool-console',
      redirect_uri: `${service.url}/console/signed-in`,
      response_type: 'code',
      scope: 'openid offline_access',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const path = `/realms/DE-ABC/protocol/openid-connect/auth?${parameters}`;
    const { headers } = await service.send({ path });
    expect(new URL(String(headers.location)).searchParams.get('error')).toBe('invalid_scope');
  });

  test('of a client that is unknown or signs nobody in is refused here', async () => {
    for (const client_id of ['nobody', 'demo-client', 'demo\0']) {
      const page = await openBrowser(service.url).visit((await start(web, { client_id })).url);
      expect(page.status).toBe(400);
      expect(page.headers.location).toBeUndefined();
    }
  });

  test.each([
    ['with a secret', () => web],
    ['without one', () => app],
  ])('of a client %s that lacks PKCE, or has it in plain text, is refused', async (_, config) => {
    for (const changed of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ]) {
      const page = await openBrowser(service.url).visit((await start(config(), changed)).url);
      expect(errorAt(page), JSON.stringify(changed)).toBe('invalid_request');
    }
  });

  test('with a parameter that cannot be stored is refused, whoever is signed in', async () => {
    for (const browser of [openBrowser(service.url), signedIn]) {
      for (const name of ['nonce', 'login_hint']) {
        const page = await browser.visit((await start(web, { [name]: 'a\0' })).url);
        // Only the nonce is also part of the code of somebody who is signed in.
        if (browser === signedIn && name === 'login_hint') expect(page.status).toBeLessThan(500);
        else expect(errorAt(page)).toBe('invalid_request');
      }
    }
  });

  test('with values of several of which one cannot be stored is refused, and so is a sign-out', async () => {
    const several = new URL((await start(web)).url);
    several.searchParams.append('resource', 'https://x.example.com/\0');
    several.searchParams.append('resource', 'https://y.example.com/');
    const page = await openBrowser(service.url).visit(several.href);
    expect(page.status).toBeLessThan(500);
    const left = await signedIn.visit(
      `${service.url}/realms/DE-ABC/protocol/openid-connect/logout?state=%00`,
    );
    expect(left.status).toBe(400);
  });

  test('for an address by http on another machine is refused, also when the client was made with it', async () => {
    const insecure = 'http://app.example.com/signed-in';
    const config = await configure({ isPublic: false });
    const { client_id } = config.clientMetadata();
    await service.db.query(
      `update clients set redirect_uris = array[$2, $3], post_logout_redirect_uris = array[$2]
       where id = $1`,
      [client_id, insecure, redirectUri],
    );
    const refused = await signedIn.visit((await start(config, { redirect_uri: insecure })).url);
    expect(refused.status).toBe(400);
    expect(refused.headers.location).toBeUndefined();
    const secure = await signedIn.visit((await start(config)).url);
    expect(new URL(secure.url).searchParams.get('code')).not.toBeNull();
    const logout = oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: insecure });
    expect((await openBrowser(service.url).visit(logout.href)).status).toBe(400);
  });

  test('for a token straight away, without a code, is refused', async () => {
    for (const response_type of ['token', 'id_token', 'code id_token', 'none']) {
      const { url } = await openBrowser(service.url).visit(
        (await start(web, { response_type })).url,
      );
      expect(url).toContain('error=unsupported_response_type');
    }
  });

  test('may have the answer in the fragment', async () => {
    const { url } = await signedIn.visit((await start(web, { response_mode: 'fragment' })).url);
    expect(url).toMatch(/^https:\/\/app\.example\.com\/signed-in#code=/);
  });

  test('may have the answer posted, by a page that may run the one script it has', async () => {
    const page = await signedIn.visit((await start(web, { response_mode: 'form_post' })).url);
    expect(page.text).toContain(`action="${redirectUri}"`);
    expect(page.text).toMatch(/name="code" value="[^"]+"/);
    expect(await allowedScripts(page)).toHaveLength(1);
  });
});

describe('a code', () => {
  async function codeFor(config: oidc.Configuration) {
    const started = await start(config);
    return { ...started, returned: await signIn(started, signedIn) };
  }

  test('is good for one exchange; a replay also ends what the first one gave', async () => {
    const { returned, checks } = await codeFor(web);
    const tokens = await oidc.authorizationCodeGrant(web, returned, checks);
    await expect(oidc.authorizationCodeGrant(web, returned, checks)).rejects.toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    await expect(oidc.refreshTokenGrant(web, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('is good for one of several exchanges at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const { returned, checks } = await codeFor(web);
      const results = await Promise.allSettled(
        Array.from({ length: 4 }, () => oidc.authorizationCodeGrant(web, returned, checks)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason.error).toBe('invalid_grant');
      }
    }
  });

  test('is of no use to another client, to another redirect_uri, or without its verifier', async () => {
    const { returned, checks } = await codeFor(web);
    const refused = { status: 400, error: 'invalid_grant' };
    await expect(oidc.authorizationCodeGrant(app, returned, checks)).rejects.toMatchObject(refused);
    const elsewhere = new URL(returned);
    elsewhere.pathname = '/elsewhere';
    await expect(oidc.authorizationCodeGrant(web, elsewhere, checks)).rejects.toMatchObject(
      refused,
    );
    for (const pkceCodeVerifier of [oidc.randomPKCECodeVerifier(), undefined]) {
      await expect(
        oidc.authorizationCodeGrant(web, returned, { ...checks, pkceCodeVerifier }),
      ).rejects.toMatchObject(refused);
    }
    const tokens = await oidc.authorizationCodeGrant(web, returned, checks);
    expect(tokens.access_token).toBeDefined();
  });

  test('is refused when it is none, whatever it is', async () => {
    for (const code of ['x', '', '\0', '../..', 'é'.repeat(2_000)]) {
      const { status } = await service.send({
        method: 'POST',
        path: '/realms/DE-ABC/protocol/openid-connect/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: app.clientMetadata().client_id,
          redirect_uri: redirectUri,
          code_verifier: oidc.randomPKCECodeVerifier(),
          code,
        }).toString(),
      });
      expect(status).toBe(400);
    }
  });

  test('dies after a minute', async () => {
    const { returned, checks } = await codeFor(web);
    await ageRecords(service.db, {
      kind: 'AuthorizationCode',
      seconds: 60,
      columns: ['expires_at'],
    });
    await expect(oidc.authorizationCodeGrant(web, returned, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('a refresh token', () => {
  test('gives new tokens, and a later use of it ends the sign-in', async () => {
    const first = await tokensOf(app);
    await passRefreshGrace(service.db);
    const second = await oidc.refreshTokenGrant(app, first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await findVehicles(second.access_token)).status).toBe(200);
    await passRefreshGrace(service.db);
    for (const { refresh_token = '' } of [first, second]) {
      await expect(oidc.refreshTokenGrant(app, refresh_token)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
  });

  test('is of no use to another client', async () => {
    const { refresh_token = '' } = await tokensOf(web);
    await expect(oidc.refreshTokenGrant(app, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('signing out', () => {
  function logoutUrl(parameters: Record<string, string>): string {
    return oidc.buildEndSessionUrl(web, parameters).href;
  }

  test('asks, ends the session and its refresh tokens, and returns to the application', async () => {
    const browser = openBrowser(service.url);
    const tokens = await tokensOf(web, browser);
    const confirmation = await browser.visit(
      logoutUrl({ post_logout_redirect_uri: postLogoutUri, state: 'bye' }),
    );
    expect(confirmation.text).toContain('Sign out?');
    const done = await browser.submit(confirmation, { logout: 'yes' });
    expect(done.url).toBe(`${postLogoutUri}?state=bye`);
    await expect(oidc.refreshTokenGrant(web, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const next = await browser.visit((await start(web)).url);
    expect(next.text).toContain('<h1>Sign in</h1>');
  });

  test('returns to no address that the client did not name beforehand', async () => {
    const { status, headers } = await openBrowser(service.url).visit(
      logoutUrl({ post_logout_redirect_uri: 'https://evil.example.com/' }),
    );
    expect(status).toBe(400);
    expect(headers.location).toBeUndefined();
  });

  test('works for somebody who is signed out already', async () => {
    const browser = openBrowser(service.url);
    const page = await browser.visit(logoutUrl({ post_logout_redirect_uri: postLogoutUri }));
    expect(page.status).toBe(200);
    expect(await allowedScripts(page)).toHaveLength(1);
    expect((await browser.submit(page, {})).url).toBe(postLogoutUri);
  });
});

describe('a user who may sign in no longer', () => {
  test('is shown the login page again, and gets no new tokens for old ones', async () => {
    const user = { username: 'ada', password: 'correct horse battery' };
    await addUser(service.db, 'DE-ABC', user.username, user.password);
    const browser = openBrowser(service.url);
    const tokens = await tokensOf(web, browser, user);
    await service.db.query("update users set disabled_at = now() where username = 'ada'");
    const login = await browser.visit((await start(web)).url);
    expect(login.text).toContain('<h1>Sign in</h1>');
    expect((await browser.submit(login, user)).status).toBe(401);
    await expect(oidc.refreshTokenGrant(web, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('neither has the user of the demo, when the database is served in earnest', async () => {
    const { refresh_token = '' } = await tokensOf(app);
    const withoutDemo = await startTestService({
      database: service.database,
      allowDemoCredentials: false,
      publicUrl: service.url,
    });
    try {
      const { status, json } = await withoutDemo.send({
        method: 'POST',
        path: '/realms/DE-ABC/protocol/openid-connect/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: app.clientMetadata().client_id,
          refresh_token,
        }).toString(),
      });
      expect([status, json.error]).toEqual([400, 'invalid_grant']);
      const browser = openBrowser(withoutDemo.url);
      const login = await browser.visit(
        (await start(app)).url.replace(service.url, withoutDemo.url),
      );
      expect((await browser.submit(login, testUser)).status).toBe(401);
    } finally {
      await withoutDemo.stop();
    }
    expect((await oidc.refreshTokenGrant(app, refresh_token)).access_token).toBeDefined();
  });
});

/** The scripts of a page that its policy allows. */
async function allowedScripts({ text, headers }: Page): Promise<string[]> {
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => code);
  const allowed = [];
  for (const code of scripts) {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
    const source = `'sha256-${Buffer.from(hash).toString('base64')}'`;
    if (String(headers['content-security-policy']).includes(source)) allowed.push(code);
  }
  return allowed;
}
