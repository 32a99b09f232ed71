import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser, type Page } from '../testing/browser.ts';
import { testUser } from '../testing/global-setup.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { stepAt, totpCode } from './sign-in/totp.ts';

let service: TestService;
let browser: Browser;
const pages: Record<string, Page> = {};

const injection = `"><script>alert('x')</script>&amp;`;

beforeAll(async () => {
  service = await startTestService();
  browser = openBrowser(service.url);
  const { id } = await addClient(service.db, 'DE-ABC', {
    name: injection,
    redirectUris: ['https://app.example.com/'],
  });
  const paths = `${service.url}/realms/DE-ABC/protocol/openid-connect`;
  const authorize = (changed = {}) => {
    const parameters = {
      client_id: id,
      redirect_uri: 'https://app.example.com/',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...changed,
    };
    return browser.visit(`${paths}/auth?${new URLSearchParams(parameters)}`);
  };
  const login = await authorize();
  pages.login = login;
  pages['login after a wrong password'] = await browser.submit(login, {
    username: injection,
    password: injection,
  });
  pages['unknown client'] = await authorize({ client_id: injection });
  pages['wrong redirect_uri'] = await authorize({
    redirect_uri: `https://evil.example/${injection}`,
  });
  pages['nothing asked'] = await browser.visit(`${paths}/auth`);
  pages['sign-in that is over'] = await browser.visit(`${service.url}/realms/DE-ABC/login/over`);
  await browser.submit(login, testUser);
  pages['second factor'] = await browser.visit(`${service.url}/realms/DE-ABC/account`);
  const [, secret = ''] =
    /name="enrolment" value="([\w-]+)\./.exec(pages['second factor'].text) ?? [];
  pages['recovery codes'] = await browser.submit(pages['second factor'], {
    code: totpCode(Buffer.from(secret, 'base64url'), stepAt(Date.now())),
  });
  pages['second factor that is on'] = await browser.visit(`${service.url}/realms/DE-ABC/account`);
  const elsewhere = openBrowser(service.url);
  const otherLogin = await elsewhere.visit(`${service.url}/realms/DE-ABC/account`);
  pages.code = await elsewhere.submit(otherLogin, testUser);
  pages['code that is wrong'] = await elsewhere.submit(pages.code, { code: injection });
  pages['sign out'] = await browser.visit(
    `${paths}/logout?client_id=${id}&state=${encodeURIComponent(injection)}`,
  );
  pages['signed out'] = await browser.submit(pages['sign out'], { logout: 'yes' });
  pages['sign-out of nobody’s client'] = await browser.visit(
    `${paths}/logout?client_id=${encodeURIComponent(injection)}`,
  );
});
afterAll(() => service.stop());

const titles: [string, string][] = [
  ['login', 'Sign in'],
  ['login after a wrong password', 'Sign in'],
  ['unknown client', 'Sign-in failed'],
  ['wrong redirect_uri', 'Sign-in failed'],
  ['nothing asked', 'Sign-in failed'],
  ['sign-in that is over', 'Sign-in failed'],
  ['second factor', 'Second factor'],
  ['recovery codes', 'Recovery codes'],
  ['second factor that is on', 'Second factor'],
  ['code', 'Sign in'],
  ['code that is wrong', 'Sign in'],
  ['sign out', 'Sign out'],
  ['signed out', 'Signed out'],
  ['sign-out of nobody’s client', 'Sign-in failed'],
];

describe.each(titles)('page: %s', (name, title) => {
  const page = () => pages[name] as Page;

  test('is a page of ours, in a language, that nobody stores', () => {
    const { text, headers } = page();
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('<html lang="en">');
    expect(text).toContain(`<title>${title} · Motorpool</title>`);
    expect(text.match(/<main>/g)).toHaveLength(1);
    expect(text.match(/<h1>/g)).toHaveLength(1);
  });

  test('has no script, and refers to no other origin', () => {
    const { text } = page();
    expect(text).not.toMatch(/<script|<iframe|<object|<embed|<link|<base|\son\w+=|javascript:/i);
    for (const [, address = ''] of text.matchAll(/\s(?:src|href|action|formaction)="([^"]*)"/g)) {
      const { protocol, origin } = new URL(address, service.url);
      // Opens the authenticator app, and goes nowhere.
      if (protocol !== 'otpauth:') expect(origin).toBe(service.url);
    }
    expect(text).not.toMatch(/@import|url\(/);
  });

  test('has a policy that allows its own style and nothing else, no frame around it included', () => {
    const { text, headers } = page();
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const directives = String(headers['content-security-policy'])
      .split(';')
      .map((directive) => directive.trim().split(/\s+/));
    expect(Object.fromEntries(directives.map(([key, ...values]) => [key, values]))).toEqual({
      'default-src': ["'none'"],
      // 'report-sample' only concerns reports; it allows no source.
      'script-src': ["'report-sample'"],
      'style-src': [`'sha256-${hash}'`],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    });
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

test('every field that is shown has a label, and what a password manager needs to know', () => {
  for (const [name, fields] of [
    ['login', 2],
    ['login after a wrong password', 2],
    ['code', 1],
    ['code that is wrong', 1],
    ['second factor', 1],
    ['second factor that is on', 1],
  ] as const) {
    const { text } = pages[name] as Page;
    const inputs = [...text.matchAll(/<input (?![^>]*type="hidden")([^>]*)>/g)].map(
      ([, all]) => all,
    );
    expect(inputs).toHaveLength(fields);
    for (const input of inputs) {
      const id = /\bid="([^"]*)"/.exec(input ?? '')?.[1];
      expect(text).toMatch(new RegExp(`<label for="${id}">[^<]+</label>`));
      expect(input).toMatch(/autocomplete="(username|current-password|one-time-code)"/);
    }
  }
  for (const name of ['login after a wrong password', 'code that is wrong'])
    expect(pages[name]?.text).toContain('role="alert"');
});

test('what was typed comes back as text, and a password never', () => {
  const { text, status } = pages['login after a wrong password'] as Page;
  expect(status).toBe(401);
  const [, value = ''] = /id="username"[^>]*\svalue="([^"]*)"/.exec(text) ?? [];
  expect(value).not.toMatch(/[<>']/);
  const shown = value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(shown).toBe(injection);
  expect(text.split('alert(').length).toBe(2);
});

test('cookies are out of the reach of scripts and other sites, and of other realms', async () => {
  const { headers } = await service.send({
    path: `/realms/DE-ABC/protocol/openid-connect/auth?${new URLSearchParams({
      client_id: 'motorpool-console',
      redirect_uri: `${service.url}/console/signed-in`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })}`,
  });
  const cookies = (headers['set-cookie'] ?? []) as string[];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; path=\/realms\/DE-ABC(\/|;)/);
    expect(cookie).toMatch(/; samesite=lax/);
    expect(cookie).toMatch(/; httponly/);
  }
});
