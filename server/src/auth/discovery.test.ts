import * as oidc from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCredentials } from '../testing/global-setup.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
let issuer: string;

beforeAll(async () => {
  service = await startTestService();
  issuer = `${service.url}/realms/DE-ABC`;
});
afterAll(() => service.stop());

async function discover(headers: Record<string, string> = {}) {
  const path = '/realms/DE-ABC/.well-known/openid-configuration';
  const { status, json } = await service.send({ path, headers });
  expect(status).toBe(200);
  return json;
}

test('what is served is advertised, on Keycloak’s paths, and nothing else is', async () => {
  expect(await discover()).toEqual({
    issuer,
    authorization_endpoint: `${issuer}/protocol/openid-connect/auth`,
    token_endpoint: `${issuer}/protocol/openid-connect/token`,
    userinfo_endpoint: `${issuer}/protocol/openid-connect/userinfo`,
    introspection_endpoint: `${issuer}/protocol/openid-connect/token/introspect`,
    revocation_endpoint: `${issuer}/protocol/openid-connect/revoke`,
    check_session_iframe: `${issuer}/protocol/openid-connect/login-status-iframe.html`,
    end_session_endpoint: `${issuer}/protocol/openid-connect/logout`,
    jwks_uri: `${issuer}/protocol/openid-connect/certs`,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types_supported: ['code'],
    response_modes_supported: ['form_post', 'fragment', 'query'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: [
      'sub',
      'auth_time',
      'preferred_username',
      'name',
      'email',
      'email_verified',
      'sid',
      'iss',
    ],
    claim_types_supported: ['normal'],
    subject_types_supported: ['public'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
});

test('every address that is advertised answers', async () => {
  const document = await discover();
  const addresses = Object.entries<string>(document).filter(([name]) =>
    /_endpoint$|_uri$|_iframe$/.test(name),
  );
  expect(addresses.length).toBe(8);
  for (const [name, address] of addresses) {
    const isForPrograms = /^(token|introspection|revocation)_/.test(name);
    const method = isForPrograms ? 'POST' : 'GET';
    const { status } = await service.send({ method, path: new URL(address).pathname });
    expect(status, name).not.toBe(404);
    expect(status, name).toBeLessThan(500);
  }
});

test('every grant that is advertised is known to the token request', async () => {
  for (const grant_type of (await discover()).grant_types_supported) {
    const { json } = await service.send({
      method: 'POST',
      path: '/realms/DE-ABC/protocol/openid-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type,
        client_id: testCredentials.clientId,
        client_secret: testCredentials.clientSecret,
      }).toString(),
    });
    expect(json.error).not.toBe('unsupported_grant_type');
  }
});

test('addresses are ours whatever the request claims to be sent to', async () => {
  const expected = await discover();
  const claims: Record<string, string>[] = [
    { host: 'evil.example.com' },
    { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'a, b', 'x-forwarded-prefix': '/x', forwarded: 'host=evil.example.com' },
  ];
  for (const headers of claims) expect(await discover(headers)).toEqual(expected);
});

test('pages of any origin may read the documents and the keys, without credentials', async () => {
  for (const path of ['', '/.well-known/openid-configuration', '/protocol/openid-connect/certs']) {
    const { headers } = await service.send({
      path: `/realms/DE-ABC${path}`,
      headers: { origin: 'https://app.example.com' },
    });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const preflight = await service.send({
      method: 'OPTIONS',
      path: `/realms/DE-ABC${path}`,
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
  }
});

test.each([
  ['in the form', oidc.ClientSecretPost(testCredentials.clientSecret)],
  ['as HTTP Basic', oidc.ClientSecretBasic(testCredentials.clientSecret)],
])('a client that nobody here wrote gets a token with its secret %s', async (_, authentication) => {
  const config = await oidc.discovery(
    new URL(issuer),
    testCredentials.clientId,
    {},
    authentication,
    { execute: [oidc.allowInsecureRequests] },
  );
  const tokens = await oidc.clientCredentialsGrant(config, { scope: 'openid' });
  expect(tokens.expires_in).toBe(300);
  expect(tokens.refresh_token).toBeUndefined();
  const answer = await oidc.fetchProtectedResource(
    config,
    tokens.access_token,
    new URL('/api/fleets/v1/DE/ABC/vehicles', service.url),
    'POST',
  );
  expect(answer.status).toBe(200);
});

test('a path below a realm that is not advertised is 404', async () => {
  for (const path of ['/', '/protocol/openid-connect', '/reg', '/request', '/session/end']) {
    for (const method of ['GET', 'POST']) {
      expect((await service.send({ method, path: `/realms/DE-ABC${path}` })).status).toBe(404);
    }
  }
});
