import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClient } from './auth/clients.ts';
import { loadRealm } from './auth/realms.ts';
import { openBrowser, type Page } from './testing/browser.ts';
import { testCredentials, testUser } from './testing/global-setup.ts';
import type { Answer } from './testing/http-client.ts';
import { requestToken, startTestService, type TestService } from './testing/test-service.ts';
import { startTrapServer, type TrapServer } from './testing/trap-server.ts';

/**
 * OWASP API Security Top 10 of 2023, items 2, 6 and 10: authentication, flows that can be abused, and what is consumed of
 * an external authorization server. That every operation refuses forged tokens is in fleet/contract.test.ts.
 */

let service: TestService;
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const publicJwk = { ...(await exportJWK(publicKey)), kid: 'k', use: 'sig' };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const claimsFor = (issuer: string) => ({
  iss: issuer,
  sub: 'demo-client',
  client_id: 'demo-client',
  azp: 'demo-client',
  typ: 'Bearer',
  exp: Math.floor(Date.now() / 1_000) + 300,
});

/** A token of a stranger's key. */
function tokenWith(header: Partial<JWTHeaderParameters>, issuer = `${service.url}/realms/DE-ABC`) {
  return new SignJWT(claimsFor(issuer))
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
    .sign(privateKey);
}

function findVehicles(token: string, at = service): Promise<Answer> {
  return at.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('API2: authentication', () => {
  test('a token cannot bring its key along, nor say where it is', async () => {
    const trap = await startTrapServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys: [publicJwk] }));
    });
    const [own] = (await loadRealm(service.db, 'DE-ABC'))?.keys ?? [];
    const headers: Partial<JWTHeaderParameters>[] = [
      { kid: 'k', jku: `${trap.url}/keys` },
      { kid: own?.kid, jku: `${trap.url}/keys` },
      { kid: own?.kid, x5u: `${trap.url}/certificate` },
      { kid: own?.kid, jwk: publicJwk },
      { kid: `${trap.url}/keys` },
      { kid: '../../../../dev/null' },
      { kid: "' union select '{}' --" },
      { kid: '__proto__' },
      { kid: own?.kid, crit: ['exp'], exp: 1 } as never,
    ];
    for (const header of headers) {
      const token = await tokenWith(header).catch(() => 'cannot be signed');
      expect([header, (await findVehicles(token)).status]).toEqual([header, 401]);
    }
    await trap.stop();
    expect(trap.requested).toEqual([]);
  });

  test('guesses at a secret end in 429, and lock nobody out', async () => {
    const { id, secret: right = '' } = await addClient(service.db, 'DE-ABC', { name: 'guessed' });
    const guess = (secret: string) =>
      requestToken(service.url, 'DE-ABC', { clientId: id, clientSecret: secret });
    const answers = [];
    for (const number of times(40)) answers.push(await guess(`guess ${number}`));
    expect(answers[0]?.status).toBe(401);
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await guess(right)).status).toBe(200);
    for (const realm of ['DE-ABC', 'FR-XYZ'])
      expect((await requestToken(service.url, realm, testCredentials)).status).toBe(200);
  });

  test('a token works for no longer than it says, and says no more than five minutes', async () => {
    const { json } = await requestToken(service.url, 'DE-ABC', testCredentials);
    const payload = JSON.parse(
      Buffer.from(json.access_token.split('.')[1], 'base64url').toString(),
    );
    expect(payload.exp - payload.iat).toBeLessThanOrEqual(300);
    expect(json.expires_in).toBeLessThanOrEqual(300);
    expect(json.refresh_token).toBeUndefined();
  });
});

describe('API6: flows that can be abused', () => {
  const redirectUri = 'https://app.example.com/';

  async function openLogin() {
    const { id } = await addClient(service.db, 'DE-ABC', {
      name: 'app',
      redirectUris: [redirectUri],
    });
    const browser = openBrowser(service.url);
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const login = await browser.visit(
      `${service.url}/realms/DE-ABC/protocol/openid-connect/auth?${query}`,
    );
    return { browser, login };
  }

  test('no answer to a token request tells which clients exist', async () => {
    const tried = [];
    for (const clientId of [testCredentials.clientId, 'nobody', '', '\u0000', 'x'.repeat(300)]) {
      const { status, json, headers } = await requestToken(service.url, 'DE-ABC', {
        clientId,
        clientSecret: 'wrong',
      });
      tried.push({ status, json, challenge: headers['www-authenticate'] });
    }
    const [known, unknown, ...others] = tried;
    expect(unknown).toEqual(known);
    for (const { status } of others) expect([400, 401]).toContain(status);
  });

  test('no page of a sign-in tells which people exist', async () => {
    const pages = [];
    for (const username of [testUser.username, 'nobody']) {
      const { browser, login } = await openLogin();
      const page = await browser.submit(login, { username, password: 'a wrong one' });
      pages.push({
        status: page.status,
        text: withoutSecrets(page).replaceAll(username, '<name>'),
      });
    }
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[0]?.status).toBeGreaterThanOrEqual(200);
  });

  /** Without what is new in every page. */
  function withoutSecrets({ text }: Page): string {
    return text.replaceAll(/[\w-]{20,}/g, '<id>').replaceAll(/value="[^"]*"/g, 'value');
  }

  test('guesses at a password end in 429, whatever the browser', async () => {
    const statuses = new Set<number>();
    for (const number of times(30)) {
      const { browser, login } = await openLogin();
      const page = await browser.submit(login, {
        username: 'guessed',
        password: `guess ${number}`,
      });
      statuses.add(page.status);
      if (page.status === 429) break;
    }
    expect(statuses.has(429)).toBe(true);
  });

  test('a flood of sign-ins does not keep machines from their tokens', async () => {
    const logins = await Promise.all(times(10).map(openLogin));
    const flood = logins.flatMap(({ browser, login }) =>
      times(5).map((number) => browser.submit(login, { username: `${number}`, password: 'x' })),
    );
    const token = await requestToken(service.url, 'FR-XYZ', testCredentials);
    expect(token.status).toBe(200);
    for (const { status } of await Promise.all(flood)) expect(status).toBeLessThan(500);
  });
});

describe('API10: what is consumed of an external authorization server', () => {
  const json =
    (value: unknown): RequestListener =>
    (_, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

  /** The status of a token that the keys of an issuer verify, and how the issuer was called. */
  async function tokenOf(issuer: (url: () => string) => RequestListener, header = {}) {
    let server: TrapServer;
    server = await startTrapServer((request, response) =>
      issuer(() => server.url)(request, response),
    );
    const consuming = await startTestService({
      database: service.database,
      authIssuer: `${server.url}/realms/{realm}`,
      authAudience: ['demo-client'],
    });
    try {
      const token = await tokenWith({ kid: 'k', ...header }, `${server.url}/realms/DE-ABC`);
      const { status } = await findVehicles(token, consuming);
      const alive = await consuming.send({ path: '/health/ready' });
      return { status, alive: alive.status, requested: server.requested };
    } finally {
      await consuming.stop();
      await server.stop();
    }
  }

  /** Discovery as it should be, and keys by another listener. */
  const withKeys =
    (keys: RequestListener) =>
    (url: () => string): RequestListener =>
    (request, response) => {
      if (request.url === '/keys') return keys(request, response);
      return json({ issuer: `${url()}/realms/DE-ABC`, jwks_uri: `${url()}/keys` })(
        request,
        response,
      );
    };

  test('its keys verify tokens, so that what is below fails for its one fault', async () => {
    expect(await tokenOf(withKeys(json({ keys: [publicJwk] })))).toMatchObject({ status: 200 });
  });

  /** JSON that goes on for as long as it is read. */
  function endless(onSent: (bytes: number) => void): RequestListener {
    const piece = 'x'.repeat(65_536);
    return (_, response) => {
      response.setHeader('content-type', 'application/json').write('{"keys":[],"x":"');
      const goOn = () => {
        if (response.destroyed) return;
        onSent(piece.length);
        if (response.write(piece)) setImmediate(goOn);
        else response.once('drain', goOn);
      };
      goOn();
    };
  }

  test.each<[string, (listener: RequestListener) => (url: () => string) => RequestListener]>([
    ['metadata', (listener) => () => listener],
    ['keys', withKeys],
  ])('%s that never end are read no further than a few MiB', async (_, issuer) => {
    let sent = 0;
    const listener = endless((bytes) => {
      sent += bytes;
    });
    expect(await tokenOf(issuer(listener))).toMatchObject({ status: 503, alive: 200 });
    // With what the sockets on both sides hold.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test.each<[string, (url: () => string) => RequestListener]>([
    ['metadata that redirect', (url) => redirectTo('/.well-known', () => `${url()}/secret`)],
    [
      'metadata of another issuer',
      (url) => json({ issuer: 'https://other.example.com', jwks_uri: `${url()}/keys` }),
    ],
    ['metadata that are a list', () => json([])],
    ['keys that redirect', (url) => withKeys(redirectTo('/keys', () => `${url()}/secret`))(url)],
    ['keys that are no list', withKeys(json({ keys: 'x' }))],
    ['keys that are none', withKeys(json({ keys: [null, 7, 'x', {}] }))],
    ['keys with 500', withKeys((_, response) => void response.writeHead(500).end())],
    ['keys in a file', () => json({ issuer: 'x', jwks_uri: 'file:///etc/passwd' })],
  ])('%s give no access, and are requested from nobody else', async (_, issuer) => {
    const { status, alive, requested } = await tokenOf(issuer);
    expect([401, 503]).toContain(status);
    expect(alive).toBe(200);
    expect(requested).not.toContain('/secret');
  });

  function redirectTo(from: string, to: () => string): RequestListener {
    return ({ url }, response) => {
      if (url?.includes(from)) response.writeHead(302, { location: to() }).end();
      else json({ keys: [publicJwk] })({} as never, response as never);
    };
  }

  test('a symmetric key among its keys signs nothing', async () => {
    const secret = Buffer.alloc(32, 1);
    const keys = [{ kty: 'oct', kid: 'k', alg: 'HS256', k: secret.toString('base64url') }];
    const { status } = await tokenOf(withKeys(json({ keys })));
    expect(status).not.toBe(200);
  });
});
