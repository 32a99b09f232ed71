import { createPublicKey } from 'node:crypto';
import { BlockList } from 'node:net';
import {
  base64url,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireOwnNetwork } from '../platform/http/networks.ts';
import { signToken } from '../testing/sign-token.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { createBearerCheck, ownIssuer } from './bearer.ts';
import type { SigningKey } from './keys.ts';
import { addProvider, disableProvider } from './providers.ts';
import { createRealms, loadRealm, publicPart } from './realms.ts';

let service: TestService;
let key: SigningKey;

beforeAll(async () => {
  service = await startTestService();
  const [current] = (await loadRealm(service.db, 'DE-ABC'))?.keys ?? [];
  if (!current) throw new Error('DE-ABC has no key');
  key = current;
});
afterAll(() => service.stop());
afterEach(() => {
  vi.useRealTimers();
});

const now = () => Math.floor(Date.now() / 1_000);

/** The claims of the realm's own tokens. */
function claims(changed: JWTPayload = {}): JWTPayload {
  return {
    iss: `${service.url}/realms/DE-ABC`,
    aud: `${service.url}/realms/DE-ABC`,
    sub: 'demo-client',
    client_id: 'demo-client',
    iat: now(),
    exp: now() + 300,
    typ: 'Bearer',
    scope: 'openid',
    ...changed,
  };
}

function findVehicles(authorization: string | undefined, provider = 'DE/ABC') {
  return service.send({
    method: 'POST',
    path: `/api/fleets/v1/${provider}/vehicles`,
    headers: authorization === undefined ? {} : { authorization },
  });
}

function encode(part: object): string {
  return base64url.encode(JSON.stringify(part));
}

async function signHs256(secret: string | Buffer): Promise<string> {
  return new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })
    .sign(Buffer.from(secret));
}

test('no token is 401 with a challenge that names the realm and no error', async () => {
  const { status, headers, json } = await findVehicles(undefined);
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toBe('Bearer realm="DE-ABC"');
  expect(json.status).toBe(401);
});

test('a token with the claims of our own is accepted, so that the ones below fail for their one fault', async () => {
  const token = await signToken(service.db, 'DE-ABC', claims());
  expect((await findVehicles(`Bearer ${token}`)).status).toBe(200);
  expect((await findVehicles(`bearer  ${token}`)).status).toBe(200);
});

describe('is 401 with error="invalid_token":', () => {
  const own = (changed: JWTPayload, header = {}) =>
    signToken(service.db, 'DE-ABC', claims(changed), header);

  const bad: [string, () => Promise<string> | string][] = [
    ['garbage', () => 'garbage'],
    ['three dots of garbage', () => 'a.b.c'],
    ['a header that is no object', () => `${base64url.encode('7')}.${encode(claims())}.x`],
    ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims())}.`],
    [
      'alg none under the right kid',
      () => `${encode({ alg: 'none', kid: key.kid, typ: 'at+jwt' })}.${encode(claims())}.x`,
    ],
    [
      'HS256 with the public key as PEM',
      () =>
        signHs256(
          createPublicKey({ key: { ...publicPart(key) }, format: 'jwk' }).export({
            type: 'spki',
            format: 'pem',
          }),
        ),
    ],
    ['HS256 with the public key as JWK', () => signHs256(JSON.stringify(publicPart(key)))],
    ['HS256 with the modulus', () => signHs256(Buffer.from(key.n ?? '', 'base64url'))],
    ['the right claims under another realm’s key', () => signToken(service.db, 'FR-XYZ', claims())],
    [
      'the right claims under another realm’s key and our kid',
      () => signToken(service.db, 'FR-XYZ', claims(), { kid: key.kid }),
    ],
    [
      'a key of their own under our kid',
      async () => {
        const { privateKey } = await generateKeyPair('RS256');
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'at+jwt' })
          .sign(privateKey);
      },
    ],
    [
      'a key of their own that the header brings along',
      async () => {
        const { privateKey, publicKey } = await generateKeyPair('RS256');
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', jwk: await exportJWK(publicKey) })
          .sign(privateKey);
      },
    ],
    [
      'another algorithm under our own key',
      async () => {
        const { alg: _, ...anyAlgorithm } = key;
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'PS256', kid: key.kid, typ: 'at+jwt' })
          .sign(await importJWK(anyAlgorithm, 'PS256'));
      },
    ],
    ['no kid', () => own({}, { kid: undefined })],
    ['a kid that is a number', () => own({}, { kid: 7 })],
    ['expired', () => own({ exp: now() - 1 })],
    ['expired long ago', () => own({ exp: now() - 3_600 })],
    ['no expiry', () => own({ exp: undefined })],
    ['not valid yet', () => own({ nbf: now() + 60 })],
    ['another issuer', () => own({ iss: 'https://id.example.com/realms/DE-ABC' })],
    ['the issuer with a slash', () => own({ iss: `${service.url}/realms/DE-ABC/` })],
    ['an unknown realm’s issuer', () => own({ iss: `${service.url}/realms/DE-ZZZ` })],
    ['an issuer with NUL', () => own({ iss: `${service.url}/realms/\0` })],
    ['an issuer with half a character', () => own({ iss: `${service.url}/realms/\ud800` })],
    ['an issuer that is a number', () => own({ iss: 7 as never })],
    ['an issuer that is an object', () => own({ iss: { realm: 'DE-ABC' } as never })],
    ['an issuer that is a list', () => own({ iss: [`${service.url}/realms/DE-ABC`] as never })],
    ['no issuer', () => own({ iss: undefined })],
    ['an ID token', () => own({ typ: 'ID' }, { typ: 'JWT' })],
    ['a token that says nothing of its type', () => own({ typ: undefined }, { typ: undefined })],
    [
      'a payload that was changed',
      async () => {
        const [header, , signature] = (await own({})).split('.');
        return `${header}.${encode(claims({ exp: now() + 9_999 }))}.${signature}`;
      },
    ],
    ['a signature that was cut', async () => (await own({})).slice(0, -10)],
    [
      'a signature with another last character of the same bytes',
      async () => {
        const token = await own({});
        const last = token.charCodeAt(token.length - 1);
        return token.slice(0, -1) + String.fromCharCode(last + 1);
      },
    ],
    ['a signature with padding', async () => `${await own({})}==`],
    ['no signature', async () => `${(await own({})).split('.').slice(0, 2).join('.')}.`],
  ];

  test.each(bad)('%s', async (_, make) => {
    const { status, headers, json } = await findVehicles(`Bearer ${await make()}`);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="DE-ABC", error="invalid_token"');
    expect(json.title).toBeDefined();
  });

  test.each<[string, (token: string) => string]>([
    ['a scheme alone', () => 'Bearer'],
    ['two tokens', (token) => `Bearer ${token} ${token}`],
    ['two tokens and a comma', (token) => `Bearer ${token}, Bearer ${token}`],
    ['a token in quotes', (token) => `Bearer "${token}"`],
  ])('%s', async (_, header) => {
    const { status, headers } = await findVehicles(header(await service.token()));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="DE-ABC", error="invalid_token"');
  });
});

test.each<[string, (token: string) => string]>([
  ['the Basic scheme', () => `Basic ${btoa('demo-client:demo-secret')}`],
  ['the Basic scheme with a token', (token) => `Basic ${token}`],
  ['no scheme', (token) => token],
])('%s is no bearer token: 401 without an error', async (_, header) => {
  const { status, headers } = await findVehicles(header(await service.token()));
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="DE-ABC"']);
});

test('a token in the address or the body is no token', async () => {
  const token = await service.token();
  const { status, headers } = await service.send({
    method: 'POST',
    path: `/api/fleets/v1/DE/ABC/vehicles?access_token=${token}`,
  });
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toBe('Bearer realm="DE-ABC"');
});

test('a clock that runs a little ahead of ours does no harm', async () => {
  const ahead = claims({ iat: now() + 5, nbf: now() + 5 });
  const token = await signToken(service.db, 'DE-ABC', ahead);
  expect((await findVehicles(`Bearer ${token}`)).status).toBe(200);
});

test('the token of another provider is 403', async () => {
  const foreign = await service.token('FR-XYZ');
  expect((await findVehicles(`Bearer ${foreign}`)).status).toBe(403);
  expect((await findVehicles(`Bearer ${foreign}`, 'FR/XYZ')).status).toBe(200);
  expect((await findVehicles(`Bearer ${foreign}`, 'DE/ZZZ')).status).toBe(403);
});

describe('userinfo', () => {
  function sendFor(realm: string, authorization?: string) {
    return service.send({
      path: `/realms/${realm}/protocol/openid-connect/userinfo`,
      headers: authorization === undefined ? {} : { authorization },
    });
  }

  test('tells a client who it is', async () => {
    const { status, json, headers } = await sendFor('DE-ABC', `Bearer ${await service.token()}`);
    expect(status).toBe(200);
    expect(json).toEqual({ sub: 'demo-client' });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('asks for a token as every operation does', async () => {
    const missing = await sendFor('DE-ABC');
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="DE-ABC"');
    for (const authorization of ['Bearer garbage', 'Basic garbage', 'Bearer']) {
      const { status, headers } = await sendFor('DE-ABC', authorization);
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await sendFor('DE-ABC', `Bearer ${await service.token('FR-XYZ')}`)).status).toBe(403);
  });

  test('of a realm that does not exist is 404, whatever its name', async () => {
    for (const realm of ['DE-ZZZ', 'x"y', '%0d%0aset-cookie:x', '%e2%82%ac', '%00']) {
      expect((await sendFor(realm)).status).toBe(404);
    }
  });
});

test('a person who is named as Keycloak names the user of a client is a person', async () => {
  const realms = createRealms(service.db);
  const check = createBearerCheck(
    realms,
    ownIssuer(() => service.url, realms),
    'editor',
  );
  const kindOf = async (changed: JWTPayload) =>
    (await check(await signToken(service.db, 'DE-ABC', claims(changed))))?.kind;
  expect(await kindOf({})).toBe('client');
  expect(await kindOf({ sub: 'a-person', preferred_username: 'service-account-demo-client' })).toBe(
    'user',
  );
});

test('a token once verified costs no second check of its signature, and dies in time', async () => {
  const realms = createRealms(service.db);
  const issuer = ownIssuer(() => service.url, realms);
  const loadKeys = vi.spyOn(issuer, 'loadKeys');
  const check = createBearerCheck(realms, issuer, 'editor');
  const token = await signToken(service.db, 'DE-ABC', claims());
  for (let time = 0; time < 3; time++) {
    expect(await check(token)).toMatchObject({ provider: 'DE-ABC', clientId: 'demo-client' });
  }
  expect(loadKeys).toHaveBeenCalledTimes(1);
  const { exp = 0 } = decodeJwt(token);
  vi.setSystemTime((exp - 1) * 1_000);
  expect(await check(token)).toBeDefined();
  vi.setSystemTime(exp * 1_000);
  // Of a request that began before, in whose place another one has found that the token is over.
  for (let time = 0; time < 2; time++) {
    expect(await check(token, (exp - 1) * 1_000)).toBeDefined();
    expect(await check(token)).toBeUndefined();
  }
});

test('a token of a key that there is not loads no realm, whatever names the key', async () => {
  const realms = createRealms(service.db);
  const refresh = vi.spyOn(realms, 'refresh');
  const issuer = ownIssuer(() => service.url, realms);
  const check = createBearerCheck(realms, issuer, 'editor');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const kid of ['unknown', undefined, 1, {}, '\0', '\ud800']) {
    const forged = `${part({ alg: 'RS256', kid })}.${part(claims())}.AAAA`;
    expect(await check(forged)).toBeUndefined();
  }
  expect(refresh).not.toHaveBeenCalled();
});

test('long tokens are forgotten before there are many of them', async () => {
  const realms = createRealms(service.db);
  const issuer = ownIssuer(() => service.url, realms);
  const loadKeys = vi.spyOn(issuer, 'loadKeys');
  const check = createBearerCheck(realms, issuer, 'editor');
  const filler = 'x'.repeat(1_024 * 1_024);
  const longToken = (jti: string) => signToken(service.db, 'DE-ABC', claims({ jti, filler }));
  const first = await longToken('first');
  for (let time = 0; time < 2; time++) expect(await check(first)).toBeDefined();
  expect(loadKeys).toHaveBeenCalledTimes(1);
  for (let time = 0; time < 25; time++) await check(await longToken(String(time)));
  expect(await check(first)).toBeDefined();
  expect(loadKeys).toHaveBeenCalledTimes(27);
});

test('tokens that are bound to the same networks share one list of them', async () => {
  const realms = createRealms(service.db);
  const check = createBearerCheck(
    realms,
    ownIssuer(() => service.url, realms),
    'editor',
  );
  const addSubnet = vi.spyOn(BlockList.prototype, 'addSubnet');
  const networks = ['192.0.2.0/24', '198.51.100.7'];
  for (const jti of ['one', 'two', 'three']) {
    const bound = await check(await signToken(service.db, 'DE-ABC', claims({ jti, networks })));
    if (!bound) throw new Error('the token was refused');
    expect(() => requireOwnNetwork(bound, '192.0.2.9')).not.toThrow();
    expect(() => requireOwnNetwork(bound, '203.0.113.1')).toThrow();
  }
  const made = addSubnet.mock.calls.filter(([address]) => address === '198.51.100.7');
  addSubnet.mockRestore();
  expect(made).toHaveLength(1);
});

test('the service itself refuses a token that it has accepted before, once it has expired', async () => {
  const token = await signToken(service.db, 'DE-ABC', claims({ exp: now() + 60 }));
  expect((await findVehicles(`Bearer ${token}`)).status).toBe(200);
  vi.setSystemTime(Date.now() + 60_000);
  const { status, headers } = await findVehicles(`Bearer ${token}`);
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toContain('error="invalid_token"');
});

test('a disabled provider is 403 for its own tokens, those it remembers and those it does not', async () => {
  await service.db.transaction((tx) => addProvider(tx, 'DE-END', 'A provider'));
  const tokenOf = (jti: string) =>
    signToken(service.db, 'DE-END', claims({ iss: `${service.url}/realms/DE-END`, jti }));
  const [known, unknown] = [await tokenOf('known'), await tokenOf('unknown')];
  expect((await findVehicles(`Bearer ${known}`, 'DE/END')).status).toBe(200);
  await disableProvider(service.db, 'DE-END');
  // The realm is cached for a second: docs/decisions/0005-realms.md.
  vi.setSystemTime(Date.now() + 1_000);
  for (const token of [known, unknown]) {
    expect((await findVehicles(`Bearer ${token}`, 'DE/END')).status).toBe(403);
  }
});
