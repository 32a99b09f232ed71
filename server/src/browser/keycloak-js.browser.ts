import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { keycloakPage, serveFiles, type WebServer } from '../testing/keycloak-page.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** keycloak-js 26 in Chromium, with the settings that its documentation names. */

type Window = {
  keycloak: Record<string, never> & {
    tokenParsed: Record<string, unknown>;
    idTokenParsed: Record<string, unknown>;
    refreshTokenParsed: Record<string, unknown>;
    refreshToken?: string;
    token: string;
    authenticated: boolean;
    hasRealmRole(role: string): boolean;
    loadUserInfo(): Promise<unknown>;
    loadUserProfile(): Promise<unknown>;
    updateToken(seconds: number): Promise<boolean>;
    logout(): Promise<void>;
  };
  started: Promise<unknown>;
  isLoaded: boolean;
};
declare const window: Window;
declare const location: { origin: string; pathname: string };

let service: TestService;
let browser: Browser;
/** In front of the service, as a reverse proxy that has the application, too. */
let proxy: WebServer;
let files: WebServer;
/** The public address of the service. */
let url: string;
let origins: Record<'same' | 'other' | 'foreign', string>;
let pageFiles: ReturnType<typeof keycloakPage> = {};

const user = { username: 'ada', password: 'nine otters cross the river' };

beforeAll(async () => {
  files = await serveFiles(() => pageFiles);
  const [other, foreign] = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${files.port}`);
  proxy = await serveFiles(
    () => pageFiles,
    () => service.url,
  );
  url = `http://127.0.0.1:${proxy.port}`;
  service = await startTestService({
    publicUrl: url,
    corsOrigins: [other ?? '', foreign ?? ''],
  });
  // Sites are told by host: another port is another origin, another name of the machine another site.
  origins = { same: url, other: other ?? '', foreign: foreign ?? '' };
  const { id } = await addClient(service.db, 'DE-ABC', {
    name: 'App',
    isPublic: true,
    role: 'admin',
    redirectUris: Object.values(origins).flatMap((origin) => [
      `${origin}/app/`,
      `${origin}/app/silent.html`,
    ]),
  });
  pageFiles = keycloakPage({ url, realm: 'DE-ABC', clientId: id });
  await addUser(service.db, 'DE-ABC', user.username, user.password, 'editor', 'Ada Lovelace', {
    email: 'ada@example.com',
  });
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await files?.close();
  await proxy?.close();
  await service?.stop();
});

/** Opens the application, which begins anew after each redirect. */
async function open(context: BrowserContext, origin: string, options: object): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(
    ([begins, kept]) => {
      if (location.origin === begins) sessionStorage.setItem('options', kept ?? '');
    },
    [origin, JSON.stringify(options)],
  );
  await page.goto(`${origin}/app/`);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill(user.username);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function outcome(page: Page): Promise<unknown> {
  await page.waitForFunction(() => window.isLoaded && window.keycloak?.authenticated !== undefined);
  return page.evaluate(() => window.started);
}

const silent = (origin: string) => ({
  onLoad: 'check-sso',
  silentCheckSsoRedirectUri: `${origin}/app/silent.html`,
});

describe.each([
  ['the same origin', 'same', true],
  ['another origin', 'other', true],
  ['another site', 'foreign', false],
] as const)('on %s', (_, place, hasCookies) => {
  test('people sign in, and the page has their tokens, claims and profile', async () => {
    const context = await browser.newContext();
    const page = await open(context, origins[place], { onLoad: 'login-required' });
    await signIn(page);
    await page.waitForURL(`${origins[place]}/app/**`);
    expect(await outcome(page)).toBe(true);
    const seen = await page.evaluate(async () => {
      const { keycloak } = window;
      const { tokenParsed, idTokenParsed, refreshTokenParsed } = keycloak;
      return {
        tokenParsed,
        idTokenParsed,
        refreshType: refreshTokenParsed.typ,
        isEditor: keycloak.hasRealmRole('editor'),
        userInfo: await keycloak.loadUserInfo(),
        profile: await keycloak.loadUserProfile(),
        refreshed: await keycloak.updateToken(-1),
        isAuthenticated: keycloak.authenticated,
      };
    });
    const person = { preferred_username: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' };
    expect(seen).toMatchObject({
      tokenParsed: { ...person, sid: expect.any(String) },
      idTokenParsed: person,
      refreshType: 'Refresh',
      isEditor: true,
      userInfo: person,
      profile: { username: 'ada', email: 'ada@example.com' },
      refreshed: true,
      isAuthenticated: true,
    });
    await context.close();
  });

  test('the page calls the interface with the token', async () => {
    const context = await browser.newContext();
    const page = await open(context, origins[place], { onLoad: 'login-required' });
    await signIn(page);
    await page.waitForURL(`${origins[place]}/app/**`);
    expect(await outcome(page)).toBe(true);
    const answer = await page.evaluate(async (url) => {
      const response = await fetch(`${url}/api/fleets/v1/DE/ABC/vehicles`, {
        method: 'POST',
        headers: { authorization: `Bearer ${window.keycloak.token}` },
      });
      return [response.status, response.headers.get('x-request-id') !== null];
    }, url);
    expect(answer).toEqual([200, true]);
    await context.close();
  });

  test(
    hasCookies
      ? 'a second page finds the sign-in without leaving, and notices the sign-out'
      : 'a second page finds the sign-in by a redirect, as cookies of other sites are not sent',
    async () => {
      const context = await browser.newContext();
      const first = await open(context, origins[place], { onLoad: 'login-required' });
      await signIn(first);
      await first.waitForURL(`${origins[place]}/app/**`);
      expect(await outcome(first)).toBe(true);

      const second = await context.newPage();
      const visited: string[] = [];
      second.on('framenavigated', (frame) => {
        if (frame === second.mainFrame()) visited.push(new URL(frame.url()).pathname);
      });
      await second.addInitScript(
        (options) => {
          if (location.pathname === '/app/') sessionStorage.setItem('options', options);
        },
        JSON.stringify(silent(origins[place])),
      );
      await second.goto(`${origins[place]}/app/`);
      await second.waitForFunction(() => window.keycloak?.authenticated === true);
      const reloads = visited.filter((path) => path === '/app/').length;
      if (hasCookies) expect(reloads).toBe(1);
      else expect(reloads).toBeGreaterThan(1);

      await second.evaluate(() => window.keycloak.logout());
      await second.waitForFunction(() => window.keycloak?.authenticated === false);
      expect(second.url()).toMatch(`${origins[place]}/app/`);
      const refresh = () => first.evaluate(() => window.keycloak.updateToken(-1));
      if (!hasCookies) await expect(refresh()).rejects.toThrow();
      // The library leads to the sign-in once it has noticed.
      await first.waitForURL(/\/login\//);
      await context.close();
    },
  );

  test('offline access survives the sign-out', async () => {
    const context = await browser.newContext();
    const options = { onLoad: 'login-required', scope: 'offline_access', checkLoginIframe: false };
    const page = await open(context, origins[place], options);
    await signIn(page);
    await page.waitForURL(`${origins[place]}/app/**`);
    expect(await outcome(page)).toBe(true);
    const { typ, token } = await page.evaluate(() => ({
      typ: window.keycloak.refreshTokenParsed.typ,
      token: window.keycloak.refreshToken ?? '',
    }));
    expect(typ).toBe('Offline');
    await page.evaluate(() => void window.keycloak.logout());
    await page.waitForURL(/\/login\//);
    const { status } = await service.send({
      method: 'POST',
      path: '/realms/DE-ABC/protocol/openid-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).azp,
        refresh_token: token,
      }).toString(),
    });
    expect(status).toBe(200);
    await context.close();
  });
});

test('a page of an origin that nobody registered can neither frame nor ask', async () => {
  const stranger = await serveFiles(() => pageFiles);
  const context = await browser.newContext();
  const origin = `http://127.0.0.1:${stranger.port}`;
  const options = { ...silent(origin), messageReceiveTimeout: 3_000 };
  const page = await open(context, origin, options);
  expect(await outcome(page)).toEqual({
    error: 'Timeout when waiting for 3rd party check iframe message.',
  });
  const refused = await page.evaluate(async (url) => {
    const response = await fetch(`${url}/realms/DE-ABC/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }).catch((error) => error.message);
    return response;
  }, url);
  expect(refused).toBe('Failed to fetch');
  await context.close();
  await stranger.close();
});
