import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCredentials } from '../testing/global-setup.ts';
import { type Answer, send } from '../testing/http-client.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { rotateKey } from './keys.ts';
import { oidcConfiguration } from './oidc-configuration.ts';
import { addProvider, disableProvider } from './providers.ts';
import { loadRealm, publicPart } from './realms.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const documents = ['/.well-known/openid-configuration', '/protocol/openid-connect/certs'];

/** What the OpenID library answers to a request for a document of the realm. */
async function askLibrary(name: string, path: string): Promise<Answer> {
  const realm = await loadRealm(service.db, name);
  if (!realm) throw new Error(`There is no realm ${name}.`);
  const issuer = `${service.url}/realms/${name}`;
  const options = {
    db: service.db,
    publicUrl: service.url,
    cookieKey: 'x',
    refreshLimiter: () => 0,
    allowDemoCredentials: false,
  };
  const key = createSecretKey(randomBytes(32));
  const library = new Provider(issuer, oidcConfiguration(realm, issuer, options, key));
  library.proxy = true;
  const handle = library.callback();
  const server = createServer((request: IncomingMessage & { originalUrl?: string }, response) => {
    request.originalUrl = `/realms/${name}${request.url}`;
    void handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': new URL(service.url).host };
  const answer = await send(`http://127.0.0.1:${port}`, { path, headers });
  server.close();
  return answer;
}

test('they are, byte by byte, what the OpenID library answers', async () => {
  // Of two keys that are served.
  await service.db.transaction((tx) => rotateKey(tx, 'DE-ABC'));
  for (const realm of ['DE-ABC', 'FR-XYZ'])
    for (const path of documents) {
      const [ours, library] = await Promise.all([
        service.send({ path: `/realms/${realm}${path}?x=1` }),
        askLibrary(realm, path),
      ]);
      expect([ours.status, ours.text]).toEqual([200, library.text]);
      for (const name of ['content-type', 'content-length', 'vary', 'etag', 'cache-control'])
        expect(ours.headers[name], name).toBe(library.headers[name]);
    }
});

test('reading what is open of a realm, as strangers can of any, builds no authorization server', async () => {
  // With a key that cannot sign, none can be built.
  await addProvider(service.db, 'DE-PUB', 'Only public');
  const [key] = (await loadRealm(service.db, 'DE-PUB'))?.keys ?? [];
  await service.db.query(
    `update realm_keys set sealed_jwk = null, private_jwk = $1 where provider = 'DE-PUB'`,
    [JSON.stringify(key && publicPart(key))],
  );
  expect((await requestToken(service.url, 'DE-PUB', testCredentials)).status).toBe(500);
  const pages = ['login-status-iframe.html', '3p-cookies/step1.html', '3p-cookies/step2.html'];
  for (const path of ['', ...documents, ...pages.map((page) => `/protocol/openid-connect/${page}`)])
    expect((await service.send({ path: `/realms/DE-PUB${path}` })).status, path).toBeLessThan(400);
  const userinfo = '/realms/DE-PUB/protocol/openid-connect/userinfo';
  expect((await service.send({ path: userinfo })).status).toBe(401);
});

test('of a realm that is unknown or disabled there are none', async () => {
  await addProvider(service.db, 'DE-OFF', 'Off');
  await disableProvider(service.db, 'DE-OFF');
  for (const realm of ['DE-OFF', 'DE-ZZZ', 'de-abc', '%00'])
    for (const path of documents) {
      const { status, json } = await service.send({ path: `/realms/${realm}${path}` });
      expect([status, json]).toEqual([
        404,
        { error: 'realm_not_found', error_description: 'There is no such realm.' },
      ]);
    }
});

test('HEAD is answered like GET without a body, and other methods are 405', async () => {
  for (const document of documents) {
    const path = `/realms/DE-ABC${document}`;
    const got = await service.send({ path });
    const head = await service.send({ method: 'HEAD', path });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'access-control-allow-origin'])
      expect(head.headers[name], name).toBe(got.headers[name]);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await service.send({ method, path });
      expect([status, headers.allow]).toEqual([405, 'GET, OPTIONS, HEAD']);
    }
  }
});
