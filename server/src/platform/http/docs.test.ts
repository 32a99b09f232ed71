import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Flow = { authorizationUrl?: string; tokenUrl?: string; refreshUrl?: string };
type Settings = {
  spec: {
    components: {
      securitySchemes: Record<string, { flows: Record<string, Flow> }>;
      parameters: Record<string, { name: string; example?: string }>;
    };
  };
  persistAuthorization?: boolean;
};

/** Runs the script of the page as a browser at this address would. */
async function open(search: string) {
  const script = await service.send({ path: '/docs/reference.js' });
  const document = (await service.send({ path: '/openapi.json' })).json;
  const field = { value: '' };
  const stored = new Map([['authorized', '{"oauth":{"clientSecret":"kept"}}']]);
  let settings: Settings | undefined;
  let oauth: object | undefined;
  const context = createContext({
    URL,
    URLSearchParams,
    location: { search, origin: 'https://fleet.example.com' },
    document: { getElementById: () => field },
    localStorage: { removeItem: (key: string) => stored.delete(key) },
    fetch: async () => ({ json: async () => document }),
    SwaggerUIBundle(given: Settings) {
      settings = given;
      return {
        initOAuth(given: object) {
          oauth = given;
        },
      };
    },
  });
  runInContext(script.text, context);
  const { spec } = await vi.waitUntil(() => settings);
  const urls = Object.values(spec.components.securitySchemes)
    .flatMap(({ flows }) => Object.values(flows))
    .flatMap(({ authorizationUrl, tokenUrl, refreshUrl }) => [
      authorizationUrl,
      tokenUrl,
      refreshUrl,
    ])
    .filter((url) => url !== undefined);
  const parameters = Object.values(spec.components.parameters);
  const exampleOf = (name: string) => parameters.find((one) => one.name === name)?.example;
  return { settings, spec, oauth, urls, exampleOf, field, stored };
}

test('the reference signs in to the realm of its address, and shows it', async () => {
  const { urls, exampleOf, field } = await open('?realm=FR-XY9');
  expect(urls.length).toBeGreaterThan(2);
  for (const url of urls) expect(url).toMatch(/^https:\/\/fleet\.example\.com\/realms\/FR-XY9\//);
  expect(exampleOf('assetProviderCountryCode')).toBe('FR');
  expect(exampleOf('assetProviderCode')).toBe('XY9');
  expect(field.value).toBe('FR-XY9');
});

test.each([
  '","tokenUrl":"https://evil.example/-x","y":"',
  'DE-ABC/../../evil',
  '/evil.example/-x',
  'DE-ABC@evil.example',
  'DE-ABC\n',
  'de-abc',
  '__proto__-x',
  '',
])('a realm that cannot be one is not used at all: %j', async (realm) => {
  const usual = await open('');
  const { urls, spec, field } = await open(`?realm=${encodeURIComponent(realm)}`);
  expect(urls).toEqual(usual.urls);
  for (const url of urls) expect(url).toMatch(/^https:\/\/fleet\.example\.com\/realms\/DE-ABC\//);
  expect(spec).toEqual(usual.spec);
  expect(field.value).toBe('');
});

test('the reference keeps no secret in the browser, and removes one that it kept before', async () => {
  const { settings, stored } = await open('?realm=DE-ABC');
  expect(settings?.persistAuthorization ?? false).toBe(false);
  expect(stored.size).toBe(0);
});

test('the reference sends PKCE, which every authorization request needs', async () => {
  const { oauth } = await open('?realm=DE-ABC');
  expect(oauth).toMatchObject({
    clientId: 'motorpool-docs',
    usePkceWithAuthorizationCodeGrant: true,
  });
});

test('its policy allows no script, style, form or base from elsewhere, nor any that is inline', async () => {
  for (const path of ['/docs', '/docs/reference.js', '/docs/assets/oauth2-redirect.html']) {
    const { text, headers } = await service.send({ path });
    const policy = String(headers['content-security-policy']);
    for (const directive of ["default-src 'none'", "base-uri 'none'", "form-action 'self'"]) {
      expect(policy).toContain(directive);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    if (path !== '/docs/reference.js')
      expect(text).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/);
  }
});
