import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { testCredentials } from '../testing/global-setup.ts';
import { signToken } from '../testing/sign-token.ts';
import { type Issuer, startIssuer } from '../testing/start-issuer.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addProvider } from './providers.ts';
import { revokeTokens } from './revocations.ts';

let issuer: Issuer;
let service: TestService;

beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ authIssuer: templateOf(issuer.url), authAudience });
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The clients of the tests: each token names one as its audience or as its authorized party. */
const authAudience = ['demo-client', 'fleet-machine'];
const templateOf = (url: string) => `${url}/realms/{realm}`;
const now = () => Math.floor(Date.now() / 1_000);

/** A process that has fetched no keys yet. */
async function withFreshService(
  authIssuer: string,
  work: (fresh: TestService) => Promise<void>,
): Promise<void> {
  const fresh = await startTestService({ database: service.database, authIssuer, authAudience });
  try {
    await work(fresh);
  } finally {
    await fresh.stop();
  }
}

function findVehicles(token: string, { at = service, provider = 'DE/ABC' } = {}) {
  return at.send({
    method: 'POST',
    path: `/api/fleets/v1/${provider}/vehicles`,
    headers: { authorization: `Bearer ${token}` },
  });
}

/** The claims of a Keycloak for a client that did not request openid. */
function keycloakClaims(changed: JWTPayload = {}): JWTPayload {
  return {
    exp: now() + 300,
    iat: now(),
    jti: 'trrtcc:6f4a1f0c-0e0b-4c57-a9a5-5a5f5a1f0c0e',
    iss: `${issuer.url}/realms/DE-ABC`,
    sub: '0e5e8a7d-8b5d-4a53-9f1e-0d6f0c1f2a3b',
    typ: 'Bearer',
    azp: 'fleet-machine',
    acr: '1',
    scope: 'profile email',
    clientHost: '10.0.0.7',
    ...changed,
  };
}
const keycloakToken = (changed?: JWTPayload, header = {}) =>
  signToken(issuer.db, 'DE-ABC', keycloakClaims(changed), { typ: 'JWT', ...header });

describe('tokens', () => {
  test('that the external server issues are accepted, each by its own provider', async () => {
    const { json } = await requestToken(issuer.url, 'DE-ABC', testCredentials);
    expect((await findVehicles(json.access_token)).status).toBe(200);
    expect((await findVehicles(json.access_token, { provider: 'FR/XYZ' })).status).toBe(403);
    const foreign = await requestToken(issuer.url, 'FR-XYZ', testCredentials);
    const token = foreign.json.access_token;
    expect((await findVehicles(token, { provider: 'FR/XYZ' })).status).toBe(200);
    expect((await findVehicles(token)).status).toBe(403);
  });

  test('of a Keycloak are accepted: no openid, its type in the payload, our audience in aud or azp', async () => {
    for (const claims of [
      {},
      { aud: 'account' },
      { aud: 'fleet-machine', azp: 'another' },
      { aud: ['account', 'fleet-machine'], azp: undefined },
      { aud: 'fleet-machine', azp: { toString: 1 }, jti: { toString: 1 } },
    ]) {
      const { status } = await findVehicles(await keycloakToken(claims as JWTPayload));
      expect(status, JSON.stringify(claims)).toBe(200);
    }
  });

  test.each<[string, () => Promise<string>]>([
    [
      'of our own issuer',
      () =>
        signToken(service.db, 'DE-ABC', keycloakClaims({ iss: `${service.url}/realms/DE-ABC` })),
    ],
    ['under our own key', () => signToken(service.db, 'DE-ABC', keycloakClaims())],
    ['under another realm’s key', () => signToken(issuer.db, 'FR-XYZ', keycloakClaims())],
    ['that are ID tokens', () => keycloakToken({ typ: 'ID' })],
    ['that are refresh tokens', () => keycloakToken({ typ: 'Refresh' })],
    ['that are expired', () => keycloakToken({ exp: now() - 1 })],
    ['for another application', () => keycloakToken({ azp: 'another', aud: 'account' })],
    ['for other applications', () => keycloakToken({ azp: 'another', aud: ['a', 'fleet'] })],
    ['for nobody', () => keycloakToken({ azp: undefined })],
    ['with an audience that is none', () => keycloakToken({ azp: 7, aud: [7, null] as never })],
    ['that are not valid yet', () => keycloakToken({ nbf: now() + 60 })],
    ['whose type is a number', () => keycloakToken({ typ: undefined }, { typ: 7 })],
    ['without an expiry', () => keycloakToken({ exp: undefined })],
    ['of a realm whose name is not one', () => keycloakToken({ iss: `${issuer.url}/realms/` })],
    ...['DE-ABC/', './DE-ABC', 'FR-XYZ/../DE-ABC', 'DE%2DABC', 'de-abc', '$&', '{realm}'].map(
      (realm): [string, () => Promise<string>] => [
        `of the realm ${realm}`,
        () => keycloakToken({ iss: `${issuer.url}/realms/${realm}` }),
      ],
    ),
    ['of an issuer with NUL', () => keycloakToken({ iss: `${issuer.url}/realms/\0` })],
    ['without a subject', () => keycloakToken({ sub: undefined as never })],
    ['of an empty subject', () => keycloakToken({ sub: '' })],
    ['of a subject with NUL', () => keycloakToken({ sub: 'a\0' })],
    ['of a client with NUL', () => keycloakToken({ aud: 'fleet-machine', azp: 'a\0' })],
    ['of a subject that is a number', () => keycloakToken({ sub: 7 as never })],
    ['of an issuer that is a number', () => keycloakToken({ iss: 7 as never })],
    ['of the issuer’s address alone', () => keycloakToken({ iss: issuer.url })],
  ])('%s are refused', async (_, make) => {
    const { status, headers } = await findVehicles(await make());
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="DE-ABC", error="invalid_token"');
  });

  test('of somebody who was revoked are refused, whatever else they call their version', async () => {
    const sub = 'revoked-machine';
    const claims = ['new', '9e99', 9e99, 1.5, {}, [9e9], null].map(
      (revocation) => ({ sub, azp: sub, aud: 'fleet-machine', revocation }) as JWTPayload,
    );
    const tokens = await Promise.all(claims.map((changed) => keycloakToken(changed)));
    for (const token of tokens) expect((await findVehicles(token)).status).toBe(200);
    await revokeTokens(service.db, 'DE-ABC', sub);
    await withFreshService(templateOf(issuer.url), async (fresh) => {
      for (const [i, token] of tokens.entries()) {
        const { status } = await findVehicles(token, { at: fresh });
        expect(status, JSON.stringify(claims[i])).toBe(401);
      }
    });
  });

  test('of a realm that we have no provider for are refused', async () => {
    await issuer.db.transaction((tx) => addProvider(tx, 'IT-ONE', 'Only there'));
    const claims = keycloakClaims({ iss: `${issuer.url}/realms/IT-ONE` });
    const token = await signToken(issuer.db, 'IT-ONE', claims);
    expect((await findVehicles(token, { provider: 'IT/ONE' })).status).toBe(401);
  });
});

describe('keys', () => {
  const unknownKey = () => keycloakToken({}, { kid: 'nobody-made-this' });

  test('are fetched once, once more for a new key, and now and then for keys that nobody made', async () => {
    await withFreshService(templateOf(issuer.url), async (fresh) => {
      const status = async (token: string) => (await findVehicles(token, { at: fresh })).status;
      const before = await issuer.keyRequests();
      const fetches = async () => (await issuer.keyRequests()) - before;
      expect(await status(await keycloakToken())).toBe(200);
      expect(await status(await keycloakToken({ jti: 'another' }))).toBe(200);
      expect(await fetches()).toBe(1);

      await issuer.rotateKey('DE-ABC');
      const renewed = await Promise.all(
        ['a', 'b', 'c'].map(async (jti) => status(await keycloakToken({ jti }))),
      );
      expect(renewed).toEqual([200, 200, 200]);
      expect(await fetches()).toBe(2);

      for (let time = 0; time < 5; time++) expect(await status(await unknownKey())).toBe(401);
      expect(await fetches()).toBe(2);
      vi.setSystemTime(Date.now() + 11_000);
      for (let time = 0; time < 5; time++) expect(await status(await unknownKey())).toBe(401);
      expect(await fetches()).toBe(3);
    });
  });

  test('that cannot be had are 503, not 401; they are had when the server is back', async () => {
    await withFreshService(templateOf(issuer.url), async (informed) => {
      expect((await findVehicles(await keycloakToken(), { at: informed })).status).toBe(200);
      await issuer.kill();
      await withFreshService(templateOf(issuer.url), async (fresh) => {
        for (const token of [await keycloakToken(), await unknownKey()]) {
          const { status, headers, json } = await findVehicles(token, { at: fresh });
          expect(status).toBe(503);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          expect(json.status).toBe(503);
        }
        // Cached keys still verify tokens, and a missing token is still a 401.
        const offline = await keycloakToken({ jti: 'offline' });
        expect((await findVehicles(offline, { at: informed })).status).toBe(200);
        expect((await findVehicles('garbage', { at: fresh })).status).toBe(401);
        expect((await findVehicles(await unknownKey(), { at: informed })).status).toBe(503);

        await issuer.restart();
        // It is asked again in a while.
        vi.setSystemTime(Date.now() + 11_000);
        for (const at of [informed, fresh]) {
          expect((await findVehicles(await keycloakToken(), { at })).status).toBe(200);
          expect((await findVehicles(await unknownKey(), { at })).status).toBe(401);
        }
      });
    });
  });

  test('are not needed to refuse a token that is over', async () => {
    await withFreshService(templateOf(issuer.url), async (at) => {
      const short = await keycloakToken();
      const long = await keycloakToken({ exp: now() + 3_600 });
      for (const token of [short, long]) {
        expect((await findVehicles(token, { at })).status).toBe(200);
      }
      await issuer.kill();
      // By then, keys that were fetched are no longer used.
      vi.setSystemTime(Date.now() + 660_000);
      expect((await findVehicles(short, { at })).status).toBe(401);
      expect((await findVehicles(long, { at })).status).toBe(503);
      await issuer.restart();
    });
  });
});

test('no authorization server of our own is served beside it', async () => {
  for (const path of ['/.well-known/openid-configuration', '/protocol/openid-connect/certs']) {
    expect((await service.send({ path: `/realms/DE-ABC${path}` })).status).toBe(404);
  }
  expect((await requestToken(service.url, 'DE-ABC', testCredentials)).status).toBe(404);
});
